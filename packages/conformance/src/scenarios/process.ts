import { says } from "../scripted-api/script.ts";
import { INIT } from "./parts.ts";
import type { Theme } from "./scenario.ts";

const slowly = (repeat: number) =>
  says("Slow answer that takes a while to come. ".repeat(repeat), { chunkSize: 8, chunkDelay: 60 });

/** How an agent starts and ends. */
export const processes: Theme = {
  name: "process",
  scenarios: [
    {
      name: "stdin-eof-mid-turn",
      about: "a turn is completed even if stdin is closed in the middle of it",
      steps: [slowly(3)],
      flow: async ({ agent }) => {
        agent.prompt("a");
        await agent.until(INIT);
        await agent.pause(300);
        await agent.close();
        return { gotResult: agent.lines.some(({ type }) => type === "result") };
      },
      expect: { facts: { gotResult: true } },
    },
    {
      name: "stdin-eof-before-message",
      about: "an agent that receives no input exits with 0 and writes nothing",
      steps: [],
      flow: async ({ agent }) => {
        await agent.pause(200);
        await agent.close();
      },
    },
    {
      name: "sigterm-mid-turn",
      about: "SIGTERM ends the process at once, with exit code 143 and without a result",
      steps: [slowly(6)],
      flow: async ({ agent }) => {
        agent.prompt("a");
        await agent.until(INIT);
        await agent.pause(600);
        agent.signal("SIGTERM");
        return { endedSoon: await agent.gone(2000) };
      },
      expect: { exits: [143], facts: { endedSoon: true } },
    },
    {
      name: "bad-flag",
      about: "an unknown flag ends the process with exit code 1 and a reason on stderr",
      args: ["--no-such-flag"],
      steps: [],
      flow: async ({ agent }) => {
        await agent.gone(4000);
      },
      expect: { exits: [1], stderr: true },
    },
  ],
};
