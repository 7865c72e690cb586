import type { Session as HostSession } from "@agentwire/host";
import { supports } from "@agentwire/protocol";
import { DaemonError } from "../errors.ts";
import type { AgentRun } from "./agent-run.ts";

/** Ends the turn that runs; the prompts that still wait, or undefined if no agent runs. */
export async function interruptAgent(run: AgentRun | undefined): Promise<readonly string[] | undefined> {
  const agent = await run?.ready();
  if (!run || !agent) return undefined;
  if (takesRequests(agent)) return (await agent.request("interrupt", {})).still_queued ?? [];
  // It can only be ended; the next prompt takes up the conversation again.
  await run.close();
  return [];
}

/** Tells an agent that runs which model to use. */
export async function tellModel(run: AgentRun | undefined, model: string): Promise<void> {
  const agent = await run?.ready();
  if (agent && takesRequests(agent)) await agent.request("set_model", { model });
}

/** Tells an agent that runs which permission mode to use. */
export async function tellMode(run: AgentRun | undefined, mode: string): Promise<void> {
  const agent = await run?.ready();
  if (agent && takesRequests(agent)) await agent.request("set_permission_mode", { mode });
}

/** Puts files back to what they were at a prompt, or tells what that would change. */
export async function rewindFiles(run: AgentRun | undefined, promptId: string, dryRun: boolean) {
  const agent = await run?.ready();
  if (!agent) throw new DaemonError("AGENT_FAILED", "send a prompt first: no agent of this session runs");
  const ask = async (dry_run: boolean) => {
    const answer = await agent.request("rewind_files", { user_message_id: promptId, dry_run });
    if (!answer.canRewind) throw new DaemonError("AGENT_FAILED", answer.error ?? "it can't be rewound");
    return answer;
  };
  // Agents tell what a rewind changes only before they do it.
  const { filesChanged: files = [], insertions = 0, deletions = 0 } = await ask(true);
  if (!dryRun) await ask(false);
  return { files, insertions, deletions };
}

/** Asks the agent to forget a prompt that it was given; false if it has gone, can't do that, or won't. */
export async function takeBack(run: AgentRun | undefined, promptId: string): Promise<boolean> {
  try {
    const agent = await run?.ready();
    const answer = await agent?.request("cancel_async_message", { message_uuid: promptId });
    return answer?.cancelled === true;
  } catch {
    return false;
  }
}

/** Agents from before that take nothing but prompts. */
const takesRequests = ({ agent }: HostSession) => supports(agent.version, undefined, "control_requests");
