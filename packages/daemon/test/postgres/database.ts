import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { onTestFinished } from "vitest";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import { SERVER_SOCKET } from "../../../../test/postgres.setup.ts";

/** The URL of this test run's server, which is started on demand. */
async function serverUrl(): Promise<string> {
  const socket = connect(process.env[SERVER_SOCKET] ?? "");
  await once(socket, "connect");
  const url = await text(socket);
  if (url === "") throw new Error("there is no PostgreSQL server; the test run says why");
  return url;
}

/** Creates an empty database for a test, and returns its URL. */
export async function newDatabase(): Promise<string> {
  const url = await serverUrl();
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await run(url, `CREATE DATABASE ${name}`);
  return url.replace("/postgres?", `/${name}?`);
}

/** A folder for a node's local files, removed when the test is over. */
export function newFolder(): string {
  const folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-node-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A node for a test; sessions below `/shared` can continue on other nodes. */
export const testNode = (id: string) => ({
  id,
  name: `${id}.example`,
  version: "1.0.0",
  isShared: (cwd: string) => cwd.startsWith("/shared"),
  sharesFolders: true,
});

/** Runs SQL on a server, independently of the daemon. */
export async function run(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
