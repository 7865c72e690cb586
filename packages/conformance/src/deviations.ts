import { basename } from "node:path";

/** A scenario in which an agent does on purpose what the official one does not. */
export interface Deviation {
  readonly scenario: string;
  readonly why: string;
}

/** The deviations of our own agent. They are shown and count against its score, but they are no failures. */
const AGENTWIRE_DEVIATIONS: readonly Deviation[] = [
  {
    scenario: "bad-flag",
    why: "hosts newer than the agent pass flags it does not know: it says so on stderr and goes on",
  },
  {
    scenario: "hook-progress",
    why: "the output of a hook command is reported once, when the command has ended",
  },
  {
    scenario: "hooks-config-change",
    why: "settings files are read when something asks for them; nothing watches them",
  },
  {
    scenario: "hooks-message-display",
    why: "what the model said reaches the host unchanged: no hook comes between",
  },
  {
    scenario: "hooks-worktree",
    why: "worktrees are made by whoever starts a session; there is no tool that enters one",
  },
  {
    scenario: "interrupt-open-question",
    why: "an interrupt denies nothing: permission_denials lists what somebody said no to",
  },
  {
    scenario: "set-color",
    why: "a colour changes nothing and harms nobody: hosts that set one need not handle an error",
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
