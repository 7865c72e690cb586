import { basename } from "node:path";

/** A scenario in which an agent does on purpose what the official one does not. */
export interface Deviation {
  readonly scenario: string;
  readonly why: string;
}

/**
 * The deviations of our own agent, each decided and documented; what is merely missing is a mismatch. They are shown and count
 * against its score, but they are not failures.
 */
const AGENTWIRE_DEVIATIONS: readonly Deviation[] = [
  {
    scenario: "bad-flag",
    why: "hosts newer than the agent pass flags it does not know: it says so on stderr and goes on",
  },
  {
    scenario: "hooks-permission-denied",
    why: "there is no service that checks calls: in mode auto the host is asked what the official agent then refuses",
  },
  {
    scenario: "hooks-task-list",
    why: "plans are the list that TodoWrite replaces as a whole; there are no tasks to create one by one",
  },
  {
    scenario: "plugin-install",
    why: "plugins are folders that the host names; nothing is fetched from a shop",
  },
  {
    scenario: "rate-limit-event",
    why: "there is no subscription to pay with, only keys and tokens of an API",
  },
  {
    scenario: "sandbox-host-denied-twice",
    why: "a host is asked about once: whoever has said no is not asked again",
  },
  {
    scenario: "set-color",
    why: "it is heard and has no effect",
  },
  {
    scenario: "set-model-invalid",
    why: "what a model of unknown price costs is unknown, and no total is better than a wrong one",
  },
];

/** The deviations that are known of an agent, by the name of its program. */
export function deviationsOf(command: readonly string[]): readonly Deviation[] {
  return command.some((word) => basename(word) === "agentwire-agent") ? AGENTWIRE_DEVIATIONS : [];
}
