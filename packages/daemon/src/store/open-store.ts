import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@agentwire/protocol/support";
import type { NodeName } from "./postgres/node.ts";
import { lockStore } from "./sqlite/lock.ts";
import { openSqliteStore } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";

/** The location of a daemon's data. */
interface StorePlace {
  readonly folder: string;
  /** A PostgreSQL database to use in place of a file in the folder. */
  readonly storeUrl: string | undefined;
}

/** Opens the store of a folder, which has one daemon at a time; throws a `StoreError`. */
export async function openStore(
  { folder, storeUrl }: StorePlace,
  node: Omit<NodeName, "id">,
  log: Log,
): Promise<Store> {
  const path = join(folder, "agentwire.db");
  if (storeUrl === undefined) return openSqliteStore(path, log);
  const unlock = lockStore(path);
  try {
    const { openPostgresStore } = await import("./postgres/postgres-store.ts");
    const store = await openPostgresStore({ url: storeUrl, folder }, { ...node, id: nodeId(folder) }, log);
    const close = store.close;
    store.close = () => close().finally(unlock);
    return store;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The id of a folder's daemon among all that use a database, created on first use. */
export function nodeId(folder: string): string {
  const file = join(folder, "node");
  try {
    const id = readFileSync(file, "utf8").trim();
    if (id !== "") return id;
  } catch {}
  const id = randomUUID();
  writeFileSync(file, `${id}\n`, { mode: 0o600 });
  return id;
}
