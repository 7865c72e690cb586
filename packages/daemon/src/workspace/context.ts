import { HostError, type Session as HostSession } from "@agentwire/host";
import { DaemonError } from "../errors.ts";

/** It only estimates, so it does not take long. */
const ANSWER_MS = 10_000;

/** What an agent says fills its context window; undefined if none runs. */
export async function contextOf(running: Promise<HostSession> | undefined) {
  const agent = await running;
  if (!agent) return undefined;
  try {
    return await agent.request("get_context_usage", { detail: "summary" }, { deadlineMs: ANSWER_MS });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const message = `the agent does not say what fills its context window: ${error.message}`;
    throw new DaemonError("AGENT_FAILED", message, { cause: error });
  }
}
