import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { PLACE_FOR_STORES } from "./place-for-stores.ts";
import { PostgresServer } from "./postgres-server.ts";

/** The variable that says where the server of a run is asked for. */
export const SERVER_SOCKET = "AGENTWIRE_TEST_POSTGRES";

/** Offers one PostgreSQL server to all tests of a run: it is started when the first of them asks for it, and ends with the run. */
export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-postgres-door-"));
  let server: PostgresServer | undefined;
  const door = createServer((socket) => {
    socket.on("error", () => {});
    try {
      server ??= PostgresServer.begin();
      socket.end(server.url());
    } catch (error) {
      socket.destroy();
      process.stderr.write(`PostgreSQL did not start: ${String(error)}\n`);
    }
  });
  process.env[SERVER_SOCKET] = join(folder, "door");
  door.listen(process.env[SERVER_SOCKET]);
  door.unref();
  return async () => {
    door.close();
    await server?.end();
    server?.remove();
    rmSync(folder, { recursive: true, force: true });
  };
}
