import type { JsonObject } from "@agentwire/protocol";
import type { AgentDriver } from "../agent-driver/driver.ts";
import { at } from "../json-path.ts";
import { calls, says } from "../scripted-api/script.ts";
import { allow, QUESTION, touch } from "./parts.ts";
import type { Scenario } from "./scenario.ts";

/** A turn that creates `made.txt` if the answer allows it. */
const madeAfter =
  (answer: (agent: AgentDriver, question: JsonObject) => void): Scenario["flow"] =>
  async ({ agent, project }) => {
    agent.prompt("make a file");
    answer(agent, await agent.until(QUESTION));
    await agent.result();
    return { made: project.exists("made.txt") };
  };

/** Scenarios in which the agent asks about one command, each with a different answer by the host. */
export const permissionAnswers: readonly Scenario[] = [
  {
    name: "bash-permission-allow",
    about: "an allowed command runs",
    steps: [
      calls("Bash", { command: "touch made.txt && echo done", description: "Create a file" }, "toolu_b1"),
      says("Created."),
    ],
    flow: madeAfter(allow),
    expect: { facts: { made: true } },
  },
  {
    name: "bash-permission-deny",
    about: "a denied command does not run; the model receives the reason, and the result lists the denial",
    steps: [touch("made.txt", "toolu_b1"), says("OK, not doing it.")],
    flow: async ({ agent, api, project }) => {
      agent.prompt("make a file");
      agent.answer(await agent.until(QUESTION), { behavior: "deny", message: "User said no" });
      await agent.result();
      return { made: project.exists("made.txt"), reasonSent: api.sent(1, "User said no") };
    },
    expect: { facts: { made: false, reasonSent: true } },
  },
  {
    name: "permission-allow-no-updatedInput",
    about: "an allow answer may omit updatedInput",
    steps: [touch("made.txt", "toolu_b1"), says("after")],
    flow: madeAfter((agent, question) => agent.answer(question, { behavior: "allow" })),
    expect: { facts: { made: true } },
  },
  {
    name: "permission-error-answer",
    about: "an error in answer to a question allows nothing, and the turn continues",
    steps: [touch("made.txt", "toolu_b1"), says("after")],
    flow: madeAfter((agent, question) => agent.refuse(question, "host callback threw")),
    expect: { facts: { made: false } },
  },
  {
    name: "permission-updated-input",
    about: "the host can change the command that runs",
    steps: [touch("original.txt", "toolu_b1"), says("Done.")],
    flow: async ({ agent, project }) => {
      agent.prompt("make a file");
      const question = await agent.until(QUESTION);
      const input = at(question, "request", "input") as object;
      allow(agent, question, { updatedInput: { ...input, command: "touch changed.txt && echo changed" } });
      await agent.result();
      return { original: project.exists("original.txt"), changed: project.exists("changed.txt") };
    },
    expect: { facts: { original: false, changed: true } },
  },
];
