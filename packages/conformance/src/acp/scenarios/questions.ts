import type { JsonObject } from "@agentwire/protocol";
import { at, listAt } from "../../json-path.ts";
import { type AcpTheme, must, mustBe } from "../agent-scenario.ts";

const MAKES = {
  "make-a-file": { shell: "touch made.txt" },
  tool_result: { text: "That is done." },
};

/** The calls that were announced, and the calls that updates refer to. */
function callsIn(updates: readonly JsonObject[]) {
  const ids = (kind: string) =>
    updates.filter(({ sessionUpdate }) => sessionUpdate === kind).map(({ toolCallId }) => toolCallId);
  return { told: ids("tool_call"), updated: ids("tool_call_update") };
}

/** Tools, and the questions to the client before they run. */
export const questions: AcpTheme = {
  name: "questions",
  scenarios: [
    {
      name: "allow",
      about: "a command is asked about, runs if it is allowed, and its end is reported",
      replies: MAKES,
      async play({ client, begin, exists }) {
        const { stopReason, updates } = await client.prompt(await begin(), "make-a-file");
        mustBe("the number of questions", client.questions.length, 1);
        must(exists("made.txt"), "the command was allowed and did not run");
        must(
          updates.some(({ status }) => status === "completed"),
          "no update says that the call is completed",
        );
        mustBe("stopReason", stopReason, "end_turn");
      },
    },
    {
      name: "options",
      about: "a question can be answered with an allow and with a reject option",
      replies: MAKES,
      async play({ client, begin }) {
        await client.prompt(await begin(), "make-a-file");
        const kinds = listAt(client.questions[0], "options").map((option) => String(at(option, "kind")));
        must(
          kinds.some((kind) => kind.startsWith("allow")),
          `no option allows it: ${kinds}`,
        );
        must(
          kinds.some((kind) => kind.startsWith("reject")),
          `no option rejects it: ${kinds}`,
        );
      },
    },
    {
      name: "calls-are-told",
      about: "a call is announced before it is asked about or updated, with the same id",
      replies: MAKES,
      async play({ client, begin }) {
        const { updates } = await client.prompt(await begin(), "make-a-file");
        const { told, updated } = callsIn(updates);
        must(told.length > 0, "no tool_call was sent");
        for (const id of updated) must(told.includes(id), `${id} is updated but was never announced`);
        const asked = at(client.questions[0], "toolCall", "toolCallId");
        must(told.includes(asked), `${asked} is asked about but was never announced`);
      },
    },
    {
      name: "reject",
      about: "a command that is rejected does not run, and the turn ends",
      replies: MAKES,
      async play({ client, begin, exists }) {
        client.answer = "reject_once";
        const { updates } = await client.prompt(await begin(), "make-a-file");
        mustBe("the number of questions", client.questions.length, 1);
        must(!exists("made.txt"), "the command was rejected and ran");
        must(
          !updates.some(({ status }) => status === "completed"),
          "the rejected call is reported as completed",
        );
      },
    },
    {
      name: "reject-and-go-on",
      about: "after a rejected call the next prompt is answered",
      replies: { ...MAKES, "go-on": { text: "Going on." } },
      async play({ client, begin }) {
        const session = await begin();
        client.answer = "reject_once";
        await client.prompt(session, "make-a-file");
        mustBe("the reply", (await client.prompt(session, "go-on")).text.trim(), "Going on.");
      },
    },
  ],
};
