import type { SessionOptions } from "@agentwire/host";
import { type FeatureName, printVersion } from "@agentwire/protocol/compatibility";
import { EXIT_CODES } from "@agentwire/protocol/support";
import type { AgentHealth, Finding } from "./health/agent-health.ts";
import type { SessionRecord } from "./store/session-record.ts";

/** How long a hook may wait for a person: the longest a question may stay open. */
const HOOK_MS = 14 * 24 * 60 * 60_000;

/** The same for agents that give every hook a minute, whatever timeout it asks for. */
const SHORT_HOOK_MS = 50_000;

/**
 * Rules also apply to calls that need no question, so every call is reported to the daemon, even while there are no rules, since one
 * may be added at any time. A call that can't be reported is blocked.
 */
export const BEFORE_EACH_CALL = {
  hooks: {
    PreToolUse: [{ hookCallbackIds: ["rules"], timeout: HOOK_MS / 1000, onFailure: "block" as const }],
  },
};

/** How long a call waits for an answer in its hook; undefined for an agent that asks when a hook tells it to. */
export function heldMs(has: (feature: FeatureName) => boolean): number | undefined {
  if (has("hook_asks")) return undefined;
  return has("hook_timeouts") ? HOOK_MS : SHORT_HOOK_MS;
}

/** Explains which rules are not enforced for an agent that gets its rules as flags. */
export function shortfall({ finding }: AgentHealth): string {
  const { version } = finding?.agent ?? {};
  const known = version ? ` v${printVersion(version)}` : "";
  return `The agent${known} does not support hooks, so the rules were passed to it as flags at startup: it denies calls that should be asked about, its denials show only in tool results, and rule changes apply from its next turn. Update it to enforce every rule.`;
}

/** A new conversation gets the session's id, so that it can be found again after a crash. */
export function conversation(
  { id, agentSessionId, forkedFrom, resumeAt }: SessionRecord,
  takesIds: boolean,
): Pick<SessionOptions, "sessionId" | "resume" | "resumeSessionAt" | "forkSession"> {
  // The id of a conversation that was rewound to its beginning is already in use.
  if (agentSessionId === "") return takesIds ? { sessionId: resumeAt || id } : {};
  const isCopy = forkedFrom !== "" && agentSessionId !== id;
  return {
    resume: agentSessionId,
    ...(resumeAt !== "" && { resumeSessionAt: resumeAt }),
    ...(isCopy && takesIds && { forkSession: true, sessionId: id }),
  };
}

/** The verdict on an agent whose required sandbox is not available. */
export const noSandbox = (name: string, problem: string): Finding["verdict"] => ({
  level: "INCOMPATIBLE",
  exitCode: EXIT_CODES.badConfig,
  logLevel: "error",
  message: `agent ${name} must run in a sandbox (agents.${name}.sandbox), but none is available: ${problem}`,
});
