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
      about: "the agent asks about a command, runs it if it is allowed, and reports its end",
      replies: MAKES,
      async play({ client, begin, exists }) {
        const { stopReason, updates } = await client.prompt(await begin(), "make-a-file");
        mustBe("the number of questions", client.questions.length, 1);
        must(exists("made.txt"), "the command was allowed but did not run");
        must(
          updates.some(({ status }) => status === "completed"),
          "no update reports the call as completed",
        );
        mustBe("stopReason", stopReason, "end_turn");
      },
    },
    {
      name: "options",
      about: "a question has both an allow option and a reject option",
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
      about: "a call is announced, with the same id, before the agent asks about it or updates it",
      replies: MAKES,
      async play({ client, begin }) {
        const { updates } = await client.prompt(await begin(), "make-a-file");
        const { told, updated } = callsIn(updates);
        must(told.length > 0, "no tool_call was sent");
        for (const id of updated) must(told.includes(id), `${id} was never announced, but it is updated`);
        const asked = at(client.questions[0], "toolCall", "toolCallId");
        must(told.includes(asked), `${asked} was never announced, but the agent asks about it`);
      },
    },
    {
      name: "reject",
      about: "a rejected command does not run, and the turn ends",
      replies: MAKES,
      async play({ client, begin, exists }) {
        client.answer = "reject_once";
        const { updates } = await client.prompt(await begin(), "make-a-file");
        mustBe("the number of questions", client.questions.length, 1);
        must(!exists("made.txt"), "the command was rejected but ran");
        must(
          !updates.some(({ status }) => status === "completed"),
          "the rejected call is reported as completed",
        );
      },
    },
    {
      name: "reject-and-go-on",
      about: "the next prompt after a rejected call is answered",
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
