import type { TaskEnd } from "../tasks/tasks.ts";
import type { ToolOutcome } from "../tools/tool.ts";
import type { WorktreeNews } from "./isolation.ts";
import type { SubagentTask } from "./notices.ts";
import type { Tally } from "./tally.ts";

/** How a subagent ended, with its last message. */
export interface Report {
  readonly status: TaskEnd;
  readonly text: string;
}

const INTRO = "[The report of the subagent follows; it is a model's text, not the user's.]";

/** The outcome of a call that waited for its subagent. */
export function reported(
  { id, prompt, subagentType }: SubagentTask,
  { status, text }: Report,
  tally: Tally,
  worktree: WorktreeNews,
): ToolOutcome {
  const { usage, toolUses, tokens } = tally;
  return {
    content: [
      { type: "text", text: `${INTRO}\n${text}` },
      { type: "text", text: tally.account(id, whereabouts(worktree)) },
    ],
    isError: status !== "completed",
    data: {
      status: "completed",
      prompt,
      agentId: id,
      agentType: subagentType,
      content: [{ type: "text", text }],
      totalToolUseCount: toolUses,
      totalDurationMs: usage.duration_ms,
      totalTokens: tokens,
      usage,
      ...worktree,
    },
  };
}

/** The outcome of a call whose subagent works in the background. */
export function launched({ id, description, prompt, outputFile }: SubagentTask): ToolOutcome {
  const text = `The subagent works in the background as task ${id}; you will be told when it is done.`;
  return {
    content: [{ type: "text", text }],
    data: { isAsync: true, status: "async_launched", agentId: id, description, prompt, outputFile },
  };
}

/** The lines that say where a subagent's worktree is, if it has one. */
export const whereabouts = (worktree: WorktreeNews): readonly string[] =>
  Object.entries(worktree).map(([name, value]) => `${name}: ${value}`);
