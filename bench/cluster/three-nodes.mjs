import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findServer, startServer } from "../../scripts/postgres-server.mjs";
import { Trial } from "../daemon/trial.mjs";
import { NotMeasured } from "../measure.mjs";

/** Calls a function with three daemons on one database with its own server, and removes everything afterwards. */
export async function withThreeNodes(use) {
  if (!findServer()) throw new NotMeasured("PostgreSQL 15 or later is not installed");
  const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-server-"));
  const server = startServer(join(folder, "server"));
  const nodes = ["one", "two", "three"].map(
    (name) =>
      new Trial({
        more: { store: { url: server.url }, cluster: { name, shared_folders: [tmpdir()] } },
      }),
  );
  try {
    for (const node of nodes) await node.start();
    return await use(nodes);
  } finally {
    await Promise.all(nodes.map((node) => node.end()));
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
