import { HostError, type Session as HostSession } from "@agentwire/host";
import { DaemonError } from "../errors.ts";

/** The agent of a session, if one is running. */
type Running = Promise<HostSession> | undefined;

/** These requests only read the agent's memory. */
const LIMIT = { deadlineMs: 10_000 };

/** What fills an agent's context window, by its own estimate; undefined if no agent is running. */
export async function contextOf(running: Running) {
  const agent = await running;
  return agent && answered(agent.request("get_context_usage", { detail: "summary" }, LIMIT));
}

/** The end of the output of a background task. */
export async function outputOfTask(running: Running, taskId: string) {
  const agent = await required(running);
  return answered(agent.request("get_task_output", { task_id: taskId }, LIMIT));
}

/** Stops a background task. */
export async function stopTask(running: Running, taskId: string): Promise<void> {
  const agent = await required(running);
  await answered(agent.request("stop_task", { task_id: taskId }, LIMIT));
}

async function required(running: Running): Promise<HostSession> {
  const agent = await running;
  if (agent) return agent;
  throw new DaemonError(
    "AGENT_FAILED",
    "no agent is running for this session; its background tasks ended with the last one",
  );
}

/** The agent's answer; if there is none, the agent has failed, not the daemon. */
async function answered<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new DaemonError("AGENT_FAILED", `the agent could not answer: ${error.message}`, { cause: error });
  }
}
