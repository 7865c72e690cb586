import { randomUUID } from "node:crypto";
import { calls, says } from "../scripted-api/script.ts";
import { BYPASS } from "./parts.ts";
import type { Theme } from "./scenario.ts";

const sleep = (seconds: number) =>
  calls(
    "Bash",
    { command: `python3 -c "import time; time.sleep(${seconds})"; echo slept`, description: "sleep" },
    "toolu_b1",
  );

/** Prompts that arrive during a turn. */
export const queueing: Theme = {
  name: "queueing",
  scenarios: [
    {
      name: "message-while-running",
      about: "a prompt sent while a tool runs joins the turn: there is one result for both prompts",
      args: BYPASS,
      steps: [sleep(2), says("Done sleeping, and saw your note."), says("Separate answer.")],
      flow: async ({ agent, api }) => {
        agent.prompt("sleep", { uuid: randomUUID() });
        await agent.until({ type: "assistant" });
        await agent.pause(500);
        agent.prompt("and also say hi", { uuid: randomUUID() });
        await agent.result();
        return {
          secondResult: await agent.resultWithin(2000),
          joinedTurn: api.sent(1, "and also say hi"),
        };
      },
      expect: { facts: { secondResult: false, joinedTurn: true } },
    },
    {
      name: "three-messages-at-once",
      about: "two prompts that are waiting become one turn",
      steps: [says("reply 1", { delayBefore: 300 }), says("reply 2"), says("reply 3")],
      flow: async ({ agent, api }) => {
        for (const text of ["m1", "m2", "m3"]) agent.prompt(text);
        await agent.result();
        await agent.result();
        return {
          thirdResult: await agent.resultWithin(2000),
          merged: api.sent(1, "m2") && api.sent(1, "m3"),
        };
      },
      expect: { facts: { thirdResult: false, merged: true } },
    },
    {
      name: "priority-later",
      about: "a prompt with the priority later does not join the running turn",
      args: BYPASS,
      steps: [sleep(1.5), says("First done."), says("Second done.")],
      flow: async ({ agent }) => {
        agent.prompt("first", { uuid: randomUUID() });
        await agent.until({ type: "assistant" });
        await agent.pause(300);
        agent.prompt("later", { uuid: randomUUID(), priority: "later" });
        await agent.result();
        await agent.result();
      },
    },
  ],
};
