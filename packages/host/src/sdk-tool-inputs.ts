// The inputs of the built-in tools, as hooks and permission callbacks receive them.
import type { EffortLevel } from "./sdk/agents.ts";

export interface AgentInput {
  description: string;
  prompt: string;
  subagent_type?: string;
  model?: "sonnet" | "opus" | "haiku" | "fable";
  effort?: EffortLevel;
  run_in_background?: boolean;
  name?: string;
  team_name?: string;
  mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan";
  isolation?: "worktree" | "remote";
}

export interface AskUserQuestionInput {
  /** One to four. */
  questions: {
    question: string;
    header: string;
    /** Two to four. */
    options: { label: string; description: string; preview?: string }[];
    multiSelect: boolean;
  }[];
  answers?: { [question: string]: string };
}

export interface BashInput {
  command: string;
  timeout?: number;
  description?: string;
  run_in_background?: boolean;
  dangerouslyDisableSandbox?: boolean;
}

// biome-ignore lint/suspicious/noEmptyInterface: the tool has no input, and the official type is an interface.
export interface EnterPlanModeInput {}

export interface ExitPlanModeInput {
  allowedPrompts?: { tool: "Bash"; prompt: string }[];
  [key: string]: unknown;
}

export interface FileEditInput {
  file_path: string;
  old_string: string;
  new_string: string;
  replace_all?: boolean;
}

export interface FileReadInput {
  file_path: string;
  offset?: number;
  limit?: number;
  pages?: string;
  allow_large?: boolean;
}

export interface FileWriteInput {
  file_path: string;
  content: string;
}

export interface GlobInput {
  pattern: string;
  path?: string;
}

export interface GrepInput {
  pattern: string;
  path?: string;
  glob?: string;
  output_mode?: "content" | "files_with_matches" | "count";
  "-B"?: number;
  "-A"?: number;
  "-C"?: number;
  context?: number;
  "-n"?: boolean;
  "-i"?: boolean;
  "-o"?: boolean;
  type?: string;
  head_limit?: number;
  offset?: number;
  multiline?: boolean;
}

export interface ListMcpResourcesInput {
  server?: string;
}

export interface McpInput {
  [key: string]: unknown;
}

export interface NotebookEditInput {
  notebook_path: string;
  cell_id?: string;
  new_source: string;
  cell_type?: "code" | "markdown";
  edit_mode?: "replace" | "insert" | "delete";
}

export interface ReadMcpResourceInput {
  server: string;
  uri: string;
}

export interface TaskStopInput {
  task_id?: string;
  shell_id?: string;
}

export interface TodoWriteInput {
  todos: { content: string; status: "pending" | "in_progress" | "completed"; activeForm: string }[];
}

export interface WebFetchInput {
  url: string;
  prompt: string;
  offset?: number;
}

export interface WebSearchInput {
  query: string;
  allowed_domains?: string[];
  blocked_domains?: string[];
}

/** The input of any built-in tool. */
export type ToolInputSchemas =
  | AgentInput
  | AskUserQuestionInput
  | BashInput
  | EnterPlanModeInput
  | ExitPlanModeInput
  | FileEditInput
  | FileReadInput
  | FileWriteInput
  | GlobInput
  | GrepInput
  | ListMcpResourcesInput
  | McpInput
  | NotebookEditInput
  | ReadMcpResourceInput
  | TaskStopInput
  | TodoWriteInput
  | WebFetchInput
  | WebSearchInput;
