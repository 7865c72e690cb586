import type { Log } from "@agentwire/protocol/support";
import { SessionTransport } from "./session-transport.ts";
import { type OpenConnection, SharedConnection } from "./shared-connection.ts";

/** The connections that sessions of this process share, until they have ended. */
const connections = new Set<SharedConnection>();

/** Joins the connection with this key, or opens one; the key must contain everything that separates sessions. */
export function joinConnection(key: string, log: Log, open: OpenConnection): SessionTransport {
  let connection = [...connections].find((one) => one.key === key && !one.isRetired);
  if (!connection) {
    const opened = new SharedConnection(key, open, () => connections.delete(opened));
    connections.add(opened);
    connection = opened;
  }
  return new SessionTransport(connection, log);
}

/** Ends the servers that are kept for later sessions; called when the process ends. */
export async function endSharedConnections(): Promise<void> {
  await Promise.all([...connections].map((connection) => connection.end()));
}
