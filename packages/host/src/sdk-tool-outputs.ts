// The outputs of the built-in tools, as in `tool_use_result` and PostToolUse hooks, under the names of the official `./sdk-tools`. One
// file, because test/interop compares it name by name with that subpath of the official package.
import type { AskUserQuestionInput, TodoWriteInput } from "./sdk-tool-inputs.ts";

type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

interface CompletedAgent {
  status: "completed";
  prompt: string;
  agentId: string;
  agentType?: string;
  content: { type: "text"; text: string; citations?: unknown[] | null }[];
  resolvedModel?: string;
  modelsUsed?: string[];
  toolsUsed?: string[];
  totalToolUseCount: number;
  totalDurationMs: number;
  totalTokens: number;
  usage: {
    input_tokens: number;
    output_tokens: number;
    output_tokens_details?: { thinking_tokens?: number | null } | null;
    cache_creation_input_tokens: number | null;
    cache_read_input_tokens: number | null;
    cache_creation: { ephemeral_1h_input_tokens: number; ephemeral_5m_input_tokens: number } | null;
    server_tool_use: { web_search_requests: number; web_fetch_requests: number } | null;
    service_tier: string | null;
    inference_geo?: string | null;
    speed?: string | null;
    iterations?: unknown;
    fallback_credit?: unknown;
  };
  toolStats?: {
    readCount: number;
    searchCount: number;
    bashCount: number;
    editFileCount: number;
    otherToolCount: number;
    linesAdded: number;
    linesRemoved: number;
    frameCount?: number;
  };
  worktreePath?: string;
  worktreeBranch?: string;
}

interface BackgroundAgent {
  status: "async_launched";
  isAsync?: true;
  agentId: string;
  description: string;
  prompt: string;
  resolvedModel?: string;
  modelsUsed?: string[];
  outputFile: string;
  canReadOutputFile?: boolean;
}

interface RemoteAgent {
  status: "remote_launched";
  taskId: string;
  sessionUrl: string;
  description: string;
  prompt: string;
  outputFile: string;
}

export type AgentOutput = CompletedAgent | BackgroundAgent | RemoteAgent;

export interface AskUserQuestionOutput {
  questions: AskUserQuestionInput["questions"];
  answers: { [question: string]: string };
  /** What the user typed instead of choosing. */
  response?: string;
  annotations?: {
    [question: string]: {
      preview?: string;
      notes?: string;
      unanswered?: "skipped" | "replied_in_chat" | "dismissed";
    };
  };
  afkTimeoutMs?: number;
}

export interface BashOutput {
  stdout: string;
  stderr: string;
  interrupted: boolean;
  isImage?: boolean;
  structuredContent?: unknown[];
  noOutputExpected?: boolean;
  returnCodeInterpretation?: string;
  timedOutAfterMs?: number;
  dangerouslyDisableSandbox?: boolean;
  rawOutputPath?: string;
  persistedOutputPath?: string;
  persistedOutputSize?: number;
  backgroundTaskId?: string;
  backgroundedByUser?: boolean;
  backgroundCwdHint?: string;
  backgroundEndsWithFinalResponse?: true;
  backgroundWakesOwner?: true;
  staleReadFileStateHint?: string;
  ghRateLimitHint?: string;
  /** What the command did to a repository. */
  gitOperation?: {
    commit?: { sha: string; kind: "committed" | "amended" | "cherry-picked"; branch?: string };
    push?: { branch: string };
    branch?: { ref: string; action: "merged" | "rebased" };
    pr?: { number: number; url?: string; action: PullRequestAction };
  };
}

type PullRequestAction =
  | "auto-merge-disabled"
  | "auto-merge-enabled"
  | "closed"
  | "commented"
  | "created"
  | "draft"
  | "edited"
  | "merged"
  | "ready"
  | "reopened";

export interface EnterPlanModeOutput {
  message: string;
}

export interface ExitPlanModeOutput {
  plan: string | null;
  isAgent: boolean;
  filePath?: string;
  hasTaskTool?: boolean;
  planWasEdited?: boolean;
  awaitingLeaderApproval?: boolean;
  requestId?: string;
}

interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

interface GitDiff {
  filename: string;
  repository?: string | null;
  status: "modified" | "added";
  additions: number;
  deletions: number;
  changes: number;
  patch: string;
}

export interface FileEditOutput {
  filePath: string;
  oldString: string;
  newString: string;
  replaceAll: boolean;
  originalFile: string | null;
  structuredPatch: Hunk[];
  gitDiff?: GitDiff;
  userModified: boolean;
  staged?: boolean;
}

export interface FileWriteOutput {
  type: "create" | "update";
  filePath: string;
  content: string;
  originalFile: string | null;
  structuredPatch: Hunk[];
  gitDiff?: GitDiff;
  userModified?: boolean;
  staged?: boolean;
}

export type FileReadOutput =
  | {
      type: "text";
      file: {
        filePath: string;
        content: string;
        startLine: number;
        numLines: number;
        totalLines: number;
        truncatedByTokenCap?: boolean;
      };
      artifactRead?: { slug: string; ver: string };
    }
  | {
      type: "image";
      file: {
        base64: string;
        type: ImageType;
        originalSize: number;
        dimensions?: {
          originalWidth?: number;
          originalHeight?: number;
          displayWidth?: number;
          displayHeight?: number;
        };
      };
    }
  | { type: "notebook"; file: { filePath: string; cells: unknown[] } }
  | { type: "pdf"; file: { filePath: string; base64: string; originalSize: number } }
  | {
      type: "parts";
      file: { filePath: string; originalSize: number; count: number; outputDir: string };
      firstPage?: number;
      pages?: { base64: string; mediaType: ImageType; error?: string }[];
    };

export interface GlobOutput {
  filenames: string[];
  numFiles: number;
  totalMatches?: number;
  countIsComplete?: boolean;
  truncated: boolean;
  timedOut?: boolean;
  durationMs: number;
}

export interface GrepOutput {
  mode?: "content" | "files_with_matches" | "count";
  filenames: string[];
  numFiles: number;
  totalFiles?: number;
  content?: string;
  numLines?: number;
  totalLines?: number;
  numMatches?: number;
  appliedLimit?: number;
  appliedOffset?: number;
  timedOut?: boolean;
}

export type ListMcpResourcesOutput = {
  server: string;
  uri: string;
  name: string;
  mimeType?: string;
  description?: string;
}[];

export type McpOutput = string | { type: string; [key: string]: unknown }[] | { [key: string]: unknown };

export interface NotebookEditOutput {
  notebook_path: string;
  cell_id?: string;
  cell_type: "code" | "markdown";
  edit_mode: string;
  language: string;
  old_source?: string;
  new_source: string;
  original_file: string;
  updated_file: string;
  error?: string;
}

export interface ReadMcpResourceOutput {
  contents: { uri: string; mimeType?: string; text?: string; blobSavedTo?: string }[];
  error?: string;
}

export interface TaskStopOutput {
  message: string;
  task_id: string;
  task_type: string;
  command?: string;
}

export interface TodoWriteOutput {
  oldTodos: TodoWriteInput["todos"];
  newTodos: TodoWriteInput["todos"];
}

export interface WebFetchOutput {
  url: string;
  code: number;
  codeText: string;
  bytes: number;
  result: string;
  durationMs: number;
  artifactRead?: { slug: string; ver?: string; seeded?: false };
}

export interface WebSearchOutput {
  query: string;
  results: (string | { tool_use_id: string; content: { title: string; url: string; snippet?: string }[] })[];
  searchCount?: number;
  durationSeconds: number;
}

/** The output of any built-in tool. */
export type ToolOutputSchemas =
  | AgentOutput
  | AskUserQuestionOutput
  | BashOutput
  | EnterPlanModeOutput
  | ExitPlanModeOutput
  | FileEditOutput
  | FileReadOutput
  | FileWriteOutput
  | GlobOutput
  | GrepOutput
  | ListMcpResourcesOutput
  | McpOutput
  | NotebookEditOutput
  | ReadMcpResourceOutput
  | TaskStopOutput
  | TodoWriteOutput
  | WebFetchOutput
  | WebSearchOutput;
