import { randomUUID } from "node:crypto";
import { at } from "../json-path.ts";
import { calls, fails, says } from "../scripted-api/script.ts";
import { BYPASS, INIT, PARTIAL, QUESTION, touch } from "./parts.ts";
import type { Theme } from "./scenario.ts";

const INTERRUPT = { subtype: "interrupt" };

/** Interrupting an agent, whatever it is doing. */
export const interrupt: Theme = {
  name: "interrupt",
  scenarios: [
    {
      name: "interrupt-mid-stream",
      about:
        "the text streamed so far becomes an assistant line, followed by a marker and an error result; the next turn works",
      args: PARTIAL,
      steps: [
        says(
          "This is a long streaming answer that will be interrupted before the end of it arrives to the reader. ".repeat(
            4,
          ),
          { chunkSize: 8, chunkDelay: 60 },
        ),
        says("After interrupt."),
      ],
      flow: async ({ agent }) => {
        agent.prompt("stream long");
        await agent.until({ type: "stream_event", event: { type: "content_block_delta" } });
        await agent.pause(400);
        await agent.ask(INTERRUPT);
        await agent.result({ fromStart: true });
        await agent.turn("again");
      },
    },
    {
      name: "interrupt-mid-stream-no-partial",
      about: "the same applies without deltas; the process exits with 1 because its last turn failed",
      steps: [
        says("This is a long streaming answer that will be interrupted. ".repeat(4), {
          chunkSize: 8,
          chunkDelay: 60,
        }),
      ],
      flow: async ({ agent }) => {
        agent.prompt("stream long");
        await agent.until(INIT);
        await agent.pause(700);
        await agent.ask(INTERRUPT);
        await agent.result({ fromStart: true });
      },
      expect: { exits: [1] },
    },
    {
      name: "interrupt-during-tool",
      about: "a running command is stopped and gets an error result",
      args: BYPASS,
      steps: [
        calls(
          "Bash",
          { command: 'python3 -c "import time; time.sleep(60)"; echo never', description: "sleep" },
          "toolu_b1",
        ),
        says("After interrupt."),
      ],
      flow: async ({ agent }) => {
        agent.prompt("sleep");
        await agent.until({ type: "assistant" });
        await agent.pause(1200);
        await agent.ask(INTERRUPT);
        await agent.result({ fromStart: true });
        await agent.turn("again");
        await agent.pause(300);
        return { commandsLeft: agent.commandsRunning("time.sleep(60)") };
      },
      expect: { facts: { commandsLeft: 0 } },
    },
    {
      name: "interrupt-when-idle",
      about: "an interrupt between turns succeeds although there is nothing to stop",
      steps: [says("one"), says("two")],
      flow: async ({ agent }) => {
        await agent.turn("a");
        await agent.pause(300);
        await agent.ask(INTERRUPT);
        await agent.pause(300);
        await agent.turn("b");
      },
    },
    {
      name: "interrupt-with-queued",
      about: "a queued prompt is listed in the answer to the interrupt and is answered next",
      steps: [
        says("Slow answer in many chunks here. ".repeat(5), { chunkSize: 8, chunkDelay: 80 }),
        says("Answer to the queued one."),
      ],
      flow: async ({ agent }) => {
        const waiting = randomUUID();
        agent.prompt("first", { uuid: randomUUID() });
        await agent.until(INIT);
        await agent.pause(400);
        agent.prompt("second", { uuid: waiting });
        await agent.pause(200);
        const answer = await agent.ask(INTERRUPT);
        await agent.result({ fromStart: true });
        return {
          namesTheWaiting: at(answer, "still_queued", 0) === waiting,
          waitingAnswered: await agent.resultWithin(4000),
        };
      },
      expect: { facts: { namesTheWaiting: true, waitingAnswered: true } },
    },
    {
      name: "api-401-interrupt-in-backoff",
      about: "the wait before the next retry of an API request can be interrupted",
      steps: [fails(401, "authentication_error", "invalid x-api-key", { repeat: 50 })],
      flow: async ({ agent }) => {
        agent.prompt("a");
        await agent.until({ type: "system", subtype: "api_retry", attempt: 3 });
        await agent.pause(300);
        await agent.ask(INTERRUPT);
        await agent.result({ fromStart: true });
      },
      expect: { exits: [1] },
    },
    {
      name: "interrupt-open-question",
      about: "an open question is withdrawn before the interrupt is answered",
      steps: [touch("made.txt", "toolu_b1"), says("never")],
      flow: async ({ agent, project }) => {
        agent.prompt("make a file");
        await agent.until(QUESTION);
        await agent.ask(INTERRUPT);
        await agent.result({ fromStart: true });
        return { made: project.exists("made.txt") };
      },
      expect: { exits: [1], facts: { made: false } },
    },
  ],
};
