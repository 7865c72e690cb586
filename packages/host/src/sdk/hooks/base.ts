/** What every hook is told. */
export type BaseHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  /** Only inside a subagent. */
  agent_id?: string;
  agent_type?: string;
  effort?: { level: string };
};

/** What the hook of one event is told. */
export type InputOf<Event extends string, Fields = unknown> = BaseHookInput & {
  hook_event_name: Event;
} & Fields;

/** What the hook of one event may answer. */
export type OutputOf<Event extends string, Fields = unknown> = { hookEventName: Event } & Fields;

/** Text that a hook puts before the model. */
export type AddedContext = { additionalContext?: string };

/** What an MCP server wants to know from the user. */
export type ElicitedInput = {
  mcp_server_name: string;
  message: string;
  mode?: "form" | "url";
  url?: string;
  elicitation_id?: string;
  requested_schema?: Record<string, unknown>;
};
