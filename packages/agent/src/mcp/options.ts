import type { AskElicitation } from "./elicitation.ts";
import type { TransportContext } from "./transport/open-transport.ts";

/** What the servers of a session are given. */
export interface McpOptions extends TransportContext {
  /** The agent's version, which servers are told. */
  readonly version: string;
  /** How long connecting may take, handshake and lists included. */
  readonly connectTimeoutMs: number;
  /** How long a tool call may take, unless a server's own configuration says otherwise. */
  readonly toolTimeoutMs: number;
  readonly onElicitation: AskElicitation;
  /** Called when what a server sent the user to a page for is done. */
  readonly onElicitationComplete?: (server: string, elicitationId: string) => void;
  /** Called when a server came, went, or changed what it offers. */
  readonly onToolsChanged?: () => void;
}
