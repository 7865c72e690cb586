import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { PLACE_FOR_STORES } from "./place-for-stores.ts";
import { PostgresServer } from "./postgres-server.ts";

/** The variable that contains the address at which tests request the server of a run. */
export const SERVER_SOCKET = "AGENTWIRE_TEST_POSTGRES";

/** Provides one PostgreSQL server for all tests of a run: started when a test first requests it, stopped at the end of the run. */
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
