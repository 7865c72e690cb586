/** The fields of every hook's input. */
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

/** The input of a hook for one event. */
export type InputOf<Event extends string, Fields = unknown> = BaseHookInput & {
  hook_event_name: Event;
} & Fields;

/** The output that a hook for one event may return. */
export type OutputOf<Event extends string, Fields = unknown> = { hookEventName: Event } & Fields;

/** Text that a hook adds to the model's context. */
export type AddedContext = { additionalContext?: string };

/** What an MCP server asks the user for. */
export type ElicitedInput = {
  mcp_server_name: string;
  message: string;
  mode?: "form" | "url";
  url?: string;
  elicitation_id?: string;
  requested_schema?: Record<string, unknown>;
};
