import type { SessionOptions } from "@agentwire/host";
import { type FeatureName, printVersion } from "@agentwire/protocol/compatibility";
import { EXIT_CODES } from "@agentwire/protocol/support";
import type { AgentHealth, Finding } from "./health/agent-health.ts";
import type { SessionRecord } from "./store/session-record.ts";

/** How long a hook may wait for a person: the longest that a question is open. */
const HOOK_MS = 14 * 24 * 60 * 60_000;

/** The same where the agent gives a hook a minute, whatever it was told. */
const SHORT_HOOK_MS = 50_000;

/**
 * Rules apply to calls without a question too, so the daemon is told of each, even while there are no rules: they may be added at any
 * time. A call that it can't be told of is not made.
 */
export const BEFORE_EACH_CALL = {
  hooks: {
    PreToolUse: [{ hookCallbackIds: ["rules"], timeout: HOOK_MS / 1000, onFailure: "block" as const }],
  },
};

/** How long a call is held for an answer; undefined for an agent that asks when a hook tells it to. */
export function heldMs(has: (feature: FeatureName) => boolean): number | undefined {
  if (has("hook_asks")) return undefined;
  return has("hook_timeouts") ? HOOK_MS : SHORT_HOOK_MS;
}

/** What an agent is not held to that gets its rules as flags. */
export function shortfall({ finding }: AgentHealth): string {
  const { version } = finding?.agent ?? {};
  const known = version ? ` v${printVersion(version)}` : "";
  return `The agent${known} does not support hooks, so it got the rules as flags when it was started: it denies calls that should be asked about, its denials show only in tool results, and rule changes apply from its next turn. Update it to enforce every rule.`;
}

/** A session that has not spoken yet gets its own id, so that it can be found again whatever happens. */
export function conversation(
  { id, agentSessionId, forkedFrom, resumeAt }: SessionRecord,
  takesIds: boolean,
): Pick<SessionOptions, "sessionId" | "resume" | "resumeSessionAt" | "forkSession"> {
  // The id of a conversation that was taken back to its beginning is in use.
  if (agentSessionId === "") return takesIds ? { sessionId: resumeAt || id } : {};
  const isCopy = forkedFrom !== "" && agentSessionId !== id;
  return {
    resume: agentSessionId,
    ...(resumeAt !== "" && { resumeSessionAt: resumeAt }),
    ...(isCopy && takesIds && { forkSession: true, sessionId: id }),
  };
}

/** The verdict on an agent that may not run without the sandbox that it can't have. */
export const noSandbox = (name: string, problem: string): Finding["verdict"] => ({
  level: "INCOMPATIBLE",
  exitCode: EXIT_CODES.badConfig,
  logLevel: "error",
  message: `agent ${name} must run in a sandbox (agents.${name}.sandbox), but none is available: ${problem}`,
});
