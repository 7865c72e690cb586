import { HostError, type Session as HostSession } from "@agentwire/host";
import { DaemonError } from "../errors.ts";

const ANSWER_MS = 10_000;

/** The end of what a background task has printed, as its agent tells it. */
export async function outputOfTask(running: Promise<HostSession> | undefined, taskId: string) {
  return asked(running, (agent) =>
    agent.request("get_task_output", { task_id: taskId }, { deadlineMs: ANSWER_MS }),
  );
}

/** Has an agent stop a background task. */
export async function stopTask(running: Promise<HostSession> | undefined, taskId: string): Promise<void> {
  await asked(running, (agent) => agent.request("stop_task", { task_id: taskId }, { deadlineMs: ANSWER_MS }));
}

async function asked<T>(
  running: Promise<HostSession> | undefined,
  ask: (agent: HostSession) => Promise<T>,
): Promise<T> {
  const agent = await running;
  if (!agent)
    throw new DaemonError(
      "AGENT_FAILED",
      "no agent runs for this session: its tasks ended with the last one",
    );
  try {
    return await ask(agent);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new DaemonError("AGENT_FAILED", `the agent says: ${error.message}`, { cause: error });
  }
}
