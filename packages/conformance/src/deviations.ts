import { basename } from "node:path";

/** A scenario in which an agent deliberately differs from the official one. */
export interface Deviation {
  readonly scenario: string;
  readonly why: string;
}

/**
 * The deviations of our own agent, each decided and documented; a missing feature is a mismatch instead. Deviations are shown and
 * count against its score, but they are not failures.
 */
const AGENTWIRE_DEVIATIONS: readonly Deviation[] = [
  {
    scenario: "bad-flag",
    why: "hosts that are newer than the agent pass flags that it does not know, so it warns on stderr and continues",
  },
  {
    scenario: "hooks-permission-denied",
    why: "there is no service that classifies calls: in mode auto the agent asks the host about calls that the official agent denies",
  },
  {
    scenario: "hooks-task-list",
    why: "the plan is a list that TodoWrite always replaces completely; tasks are not created one by one",
  },
  {
    scenario: "plugin-install",
    why: "plugins are folders that the host names; nothing is installed from a marketplace",
  },
  {
    scenario: "rate-limit-event",
    why: "there are no subscriptions, only API keys and tokens",
  },
  {
    scenario: "sandbox-host-denied-twice",
    why: "the agent asks about a host name only once, and not again after a denial",
  },
  {
    scenario: "set-color",
    why: "the request is accepted but has no effect",
  },
  {
    scenario: "set-model-invalid",
    why: "the cost of a model without a known price is unknown, and reporting no total is better than reporting a wrong one",
  },
];

/** The known deviations of an agent, by the name of its program. */
export function deviationsOf(command: readonly string[]): readonly Deviation[] {
  return command.some((word) => basename(word) === "agentwire-agent") ? AGENTWIRE_DEVIATIONS : [];
}
