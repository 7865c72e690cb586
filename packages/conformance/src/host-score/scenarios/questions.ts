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
      about: "an allowed call is answered under the id of its question; stdin stays open as long as it is",
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
      about: "the input that the host gives a call is in the answer",
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
      about: "a denied call gets the reason, and the turn goes on",
      task: { prompts: ["go"], permissions: { Bash: { behavior: "deny", message: "not today" } } },
      script: ONE_QUESTION,
      checks: [succeeds, prints("done"), answers("q1", success({ behavior: "deny", message: "not today" }))],
    },
    {
      name: "two-questions",
      about: "two questions that are open at once get each its own answer",
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
      about: "a question that the agent takes back does not keep the host waiting",
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
      about: "an unknown request is refused at once, and the session goes on",
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
      about: "a question to a host that answers none is refused at once, in one way or another",
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
