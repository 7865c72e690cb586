import { type AcpTheme, must, mustBe } from "../agent-scenario.ts";
import { textOf } from "../scripted-client.ts";

/** Cancelling a turn. */
export const cancels: AcpTheme = {
  name: "cancels",
  scenarios: [
    {
      name: "cancel-a-reply",
      about: "a cancelled turn ends with the stop reason cancelled, and the next prompt is answered",
      replies: {
        "talk-for-long": { text: "word ".repeat(2000), chunkSize: 5, chunkDelay: 50 },
        "go-on": { text: "Going on." },
      },
      async play({ client, begin }) {
        const sessionId = await begin();
        const turn = client.prompt(sessionId, "talk-for-long");
        const begun = client.until(
          "the first words",
          () => textOf(client.updates.map(({ update }) => update)) !== "",
        );
        await Promise.race([begun, turn]);
        client.notify("session/cancel", { sessionId });
        mustBe("stopReason", (await turn).stopReason, "cancelled");
        mustBe("the reply", (await client.prompt(sessionId, "go-on")).text.trim(), "Going on.");
      },
    },
    {
      name: "cancel-in-a-question",
      about:
        "a turn cancelled during an open question ends with the stop reason cancelled, and the command does not run",
      replies: { "make-a-file": { shell: "touch made.txt" }, tool_result: { text: "That is done." } },
      async play({ client, begin, exists }) {
        const sessionId = await begin();
        client.answer = "wait";
        const turn = client.prompt(sessionId, "make-a-file");
        const asked = client.until("a question", () => client.questions.length > 0);
        await Promise.race([asked, turn]);
        client.notify("session/cancel", { sessionId });
        client.cancelQuestions();
        mustBe("stopReason", (await turn).stopReason, "cancelled");
        must(!exists("made.txt"), "the command ran");
      },
    },
    {
      name: "cancel-nothing",
      about: "a cancel between turns has no effect",
      replies: { "say-hello": { text: "Hello there." } },
      async play({ client, begin }) {
        const sessionId = await begin();
        client.notify("session/cancel", { sessionId });
        const { stopReason, text } = await client.prompt(sessionId, "say-hello");
        mustBe("the reply", text.trim(), "Hello there.");
        mustBe("stopReason", stopReason, "end_turn");
      },
    },
  ],
};
