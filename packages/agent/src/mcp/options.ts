import type { AskElicitation } from "./elicitation.ts";
import type { TransportContext } from "./transport/open-transport.ts";

/** The options for the servers of a session. */
export interface McpOptions extends TransportContext {
  /** The agent's version, as reported to servers. */
  readonly version: string;
  /** The deadline for connecting, including handshake and lists. */
  readonly connectTimeoutMs: number;
  /** The deadline for a tool call, unless a server's own configuration sets one. */
  readonly toolTimeoutMs: number;
  readonly onElicitation: AskElicitation;
  /** Called when a server reports that the user has completed a page it sent them to. */
  readonly onElicitationComplete?: (server: string, elicitationId: string) => void;
  /** Called when a server was connected or lost, or its offer changed. */
  readonly onToolsChanged?: () => void;
}
