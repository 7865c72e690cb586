import type { Step } from "../../scripted-agent/step.ts";
import { answers, prints, staysOpenFor, succeeds } from "../checks.ts";
import type { HostTheme } from "../host-scenario.ts";
import { asks, asksAbout, BEGIN, calls, hearsAnswer, result } from "../lines.ts";

const COMMAND = { command: "ls", description: "List" };
const ALLOW = { behavior: "allow" };
const success = (response: object) => ({ subtype: "success", response });

/** A call, the question about it, and the end of the turn. */
const ONE_QUESTION: readonly Step[] = [
  ...BEGIN,
  calls("Bash", "toolu_q1", COMMAND),
  asksAbout("q1", "Bash", COMMAND),
  hearsAnswer("q1"),
  result("done"),
  { hear: "end" },
];

/** What an agent asks its host. */
export const questions: HostTheme = {
  name: "questions",
  scenarios: [
    {
      name: "permission-allow",
      about:
        "the answer that allows a call has the id of the question, and stdin stays open until it is sent",
      task: { prompts: ["go"], permissions: { Bash: ALLOW } },
      script: [
        ...BEGIN,
        calls("Bash", "toolu_q1", COMMAND),
        { pause: 300 },
        asksAbout("q1", "Bash", COMMAND),
        hearsAnswer("q1"),
        result("done"),
        { hear: "end" },
      ],
      checks: [succeeds, prints("done"), answers("q1", success(ALLOW)), staysOpenFor("q1")],
    },
    {
      name: "permission-updated-input",
      about: "the answer contains the input that the host changed",
      task: {
        prompts: ["go"],
        permissions: { Bash: { behavior: "allow", updatedInput: { command: "pwd", description: "Where" } } },
      },
      script: ONE_QUESTION,
      checks: [
        succeeds,
        answers("q1", success({ behavior: "allow", updatedInput: { command: "pwd", description: "Where" } })),
      ],
    },
    {
      name: "permission-deny",
      about: "the answer that denies a call contains the reason, and the turn continues",
      task: { prompts: ["go"], permissions: { Bash: { behavior: "deny", message: "not today" } } },
      script: ONE_QUESTION,
      checks: [succeeds, prints("done"), answers("q1", success({ behavior: "deny", message: "not today" }))],
    },
    {
      name: "two-questions",
      about: "two questions that are open at the same time each get their own answer",
      task: {
        prompts: ["go"],
        permissions: { Bash: ALLOW, Write: { behavior: "deny", message: "read only" } },
      },
      script: [
        ...BEGIN,
        asksAbout("q1", "Write", { file_path: "/project/a", content: "" }),
        asksAbout("q2", "Bash", COMMAND),
        hearsAnswer("q2"),
        hearsAnswer("q1"),
        result("done"),
        { hear: "end" },
      ],
      checks: [
        succeeds,
        answers("q1", success({ behavior: "deny", message: "read only" })),
        answers("q2", success(ALLOW)),
      ],
    },
    {
      name: "question-withdrawn",
      about: "the host does not wait for a question that the agent has withdrawn",
      task: { prompts: ["go"], permissions: { Bash: "wait" } },
      script: [
        ...BEGIN,
        asksAbout("q1", "Bash", COMMAND),
        { pause: 200 },
        { say: { type: "control_cancel_request", request_id: "q1" } },
        result("done"),
        { hear: "end" },
      ],
      checks: [succeeds, prints("done")],
    },
    {
      name: "unknown-request",
      about: "an unknown request is refused at once, and the session continues",
      task: { prompts: ["go"] },
      script: [
        ...BEGIN,
        asks("q1", { subtype: "make_coffee", sugar: 2 }),
        hearsAnswer("q1"),
        result("done"),
        { hear: "end" },
      ],
      checks: [succeeds, prints("done"), answers("q1", { subtype: "error" }, 2000)],
    },
    {
      name: "nobody-to-ask",
      about: "a host without a permission callback answers a question at once, with a denial or an error",
      task: { prompts: ["go"] },
      script: [
        ...BEGIN,
        asksAbout("q1", "Bash", COMMAND),
        hearsAnswer("q1"),
        result("done"),
        { hear: "end" },
      ],
      checks: [succeeds, prints("done"), answers("q1", {}, 2000)],
    },
  ],
};
