import { HostError, type Session as HostSession } from "@agentwire/host";
import type { JsonObject } from "@agentwire/protocol";
import { supports } from "@agentwire/protocol/compatibility";
import { errorMessage, within } from "@agentwire/protocol/support";
import { DaemonError } from "../errors.ts";
import type { AgentRun } from "./agent-run.ts";

/** How long an agent may take to stop. */
const PATIENCE_MS = 10_000;
/** How long an agent may take to connect to servers. */
const SERVERS_MS = 30_000;
/** How long an interrupt waits for a process that is still starting. */
const START_PATIENCE_MS = 3000;

/** Ends the running turn; returns the prompts that are still queued. `onEnd` is called before a process is ended. */
export async function interruptAgent(run: AgentRun, onEnd: () => void): Promise<readonly string[]> {
  const agent = await soonReady(run);
  const stillQueued = agent && takesRequests(agent) ? await interrupted(agent) : undefined;
  // A process that does not start, can't be interrupted or does not answer is ended; the next prompt resumes the conversation.
  if (stillQueued) return stillQueued;
  onEnd();
  await run.close();
  return [];
}

/** What is still queued after an interrupt; undefined if the agent does not answer. */
async function interrupted(agent: HostSession): Promise<readonly string[] | undefined> {
  try {
    const { still_queued: queued } = await agent.request("interrupt", {}, { deadlineMs: PATIENCE_MS });
    return queued ?? [];
  } catch (error) {
    if (error instanceof HostError && error.code === "request_timeout") return undefined;
    throw error;
  }
}

/**
 * Tells a running agent which model to use. One that can't be told is ended if it is idle, since the next process is started with that
 * model; in the middle of a turn it is an error.
 */
export async function tellModel(run: AgentRun | undefined, model: string, isAtRest: boolean): Promise<void> {
  const agent = await run?.ready();
  if (!run || !agent) return;
  if (takesRequests(agent)) await agent.request("set_model", model === "" ? {} : { model });
  else if (isAtRest) await run.close();
  else
    throw new DaemonError(
      "AGENT_FAILED",
      "this version of the agent can't change its model during a turn: wait for the turn to end, or interrupt it",
    );
}

/** Hands an agent the MCP servers of a client; returns why it does not have some of them, by name. */
export async function handServers(
  agent: HostSession,
  servers: JsonObject,
): Promise<Readonly<Record<string, string>>> {
  try {
    const given = { servers: servers as never };
    const { errors } = await agent.request("mcp_set_servers", given, { deadlineMs: SERVERS_MS });
    return errors;
  } catch (error) {
    return Object.fromEntries(Object.keys(servers).map((name) => [name, errorMessage(error)]));
  }
}

/** Tells a running agent which permission mode to use. */
export async function tellMode(run: AgentRun | undefined, mode: string): Promise<void> {
  const agent = await run?.ready();
  if (!agent) return;
  if (takesRequests(agent)) await agent.request("set_permission_mode", { mode });
  else if (mode !== "default") throw noModes(mode);
}

/** The error for a mode that is set for an agent too old to have modes. */
export const noModes = (mode: string) =>
  new DaemonError(
    "AGENT_FAILED",
    `this version of the agent has no permission mode ${mode}: use the mode default, or a newer agent`,
  );

/** Restores files to their state at a prompt, or reports what that would change. */
export async function rewindFiles(run: AgentRun | undefined, promptId: string, dryRun: boolean) {
  const agent = await run?.ready();
  if (!agent) throw new DaemonError("AGENT_FAILED", "send a prompt first: this session has no running agent");
  const ask = async (dry_run: boolean) => {
    const answer = await agent.request("rewind_files", { user_message_id: promptId, dry_run });
    if (!answer.canRewind) throw new DaemonError("AGENT_FAILED", answer.error ?? "it can't be rewound");
    return answer;
  };
  // Agents report what a rewind changes only before they do it.
  const { filesChanged: files = [], insertions = 0, deletions = 0 } = await ask(true);
  if (!dryRun) await ask(false);
  return { files, insertions, deletions };
}

/** Asks the agent to drop a prompt that it was given; false if the agent has ended, can't or won't. */
export async function takeBack(run: AgentRun | undefined, promptId: string): Promise<boolean> {
  try {
    const agent = run && (await soonReady(run));
    // It never received the prompt, and no longer can.
    if (!agent) await run?.close();
    const answer = await agent?.request("cancel_async_message", { message_uuid: promptId });
    return answer?.cancelled === true;
  } catch {
    return false;
  }
}

/** The agent; undefined if it does not start in time for an interrupt. */
async function soonReady(run: AgentRun): Promise<HostSession | undefined> {
  let agent: HostSession | undefined;
  await within(START_PATIENCE_MS, async () => {
    agent = await run.ready().catch(() => undefined);
  });
  return agent;
}

/** Older agents accept nothing but prompts. */
const takesRequests = ({ agent }: HostSession) => supports(agent.version, undefined, "control_requests");
