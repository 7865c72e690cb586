import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { silentLog } from "@agentwire/protocol/support";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { PostgresServer } from "../../../../test/postgres-server.ts";
import { toStoreError } from "../../src/store/postgres/postgres-error.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { placeOf, serversIn } from "../../src/store/postgres/server-list.ts";
import type { Store } from "../../src/store/store.ts";
import { appendEvent } from "../store/place.ts";
import { newDatabase, newFolder, run, testNode } from "./database.ts";

let url: string;
beforeEach(async () => {
  url = await newDatabase();
});

async function open(id = "one", at = url): Promise<Store> {
  const store = await openPostgresStore({ url: at, folder: newFolder() }, testNode(id), silentLog);
  onTestFinished(() => store.close());
  return store;
}

const event = (seq: number) => [appendEvent("s", { seq, body: Buffer.of(seq) })];
const numbers = async (store: Store) => (await store.events.after("s", 0, 100)).map(({ seq }) => seq);

/** Allows connections to a database, or ends all connections and forbids new ones. */
async function cut(takesNew: boolean): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const server = url.replace(`/${name}?`, "/postgres?");
  await run(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${takesNew}`);
  if (!takesNew)
    await run(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
}

test("without the server clients get an error, and writes that must not be lost wait and are written in order", async () => {
  const store = await open();
  const healths: (string | undefined)[] = [];
  store.onHealth = (error) => healths.push(error?.code);
  await store.write(event(1));
  await cut(false);
  await vi.waitFor(() => expect(store.illness?.code).toBe("unreachable"));
  await expect(store.write(event(9))).rejects.toMatchObject({ code: "unreachable" });
  await expect(store.sessions.find("s")).rejects.toMatchObject({ code: "unreachable" });
  const kept = [2, 3, 4].map((seq) => store.keep(event(seq), "chain"));
  await cut(true);
  await Promise.all(kept);
  await store.write(event(5));
  expect(await numbers(store)).toEqual([1, 2, 3, 4, 5]);
  expect([...new Set(healths)]).toEqual(["unreachable", undefined]);
  expect(healths.at(-1)).toBeUndefined();
});

/** A proxy to a server in a folder; `onCommit` is called when the next commit is about to pass. */
async function proxied(folder: string) {
  let onCommit: ((client: Socket, server: Socket) => boolean) | undefined;
  let isShut = false;
  const servers = new Set<Socket>();
  const proxy = createServer((client) => {
    if (isShut) return void client.destroy();
    const server = connect(join(folder, ".s.PGSQL.5432"));
    const end = () => {
      client.destroy();
      server.destroy();
    };
    servers.add(server);
    server.on("close", () => servers.delete(server));
    for (const socket of [client, server]) socket.on("error", end).on("close", end);
    server.on("data", (data) => client.write(data));
    client.on("data", (data) => {
      const act = data.includes("COMMIT") ? onCommit : undefined;
      if (act) onCommit = undefined;
      if (!act || act(client, server)) server.write(data);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as { port: number };
  return {
    port,
    /** Refuses connections, or accepts them again. */
    shut: (shut: boolean) => {
      isShut = shut;
    },
    /** Holds back everything from the server, or passes it on again. */
    stall: (stalls: boolean) => {
      for (const server of servers) stalls ? server.pause() : server.resume();
    },
    /** Acts at the next commit; returns whether the commit reaches the server. */
    atCommit: (act: NonNullable<typeof onCommit>) => {
      onCommit = act;
    },
  };
}

test("a broken connection is recognized whatever its error code; an error reported by the server is not one", () => {
  const codeOf = (fields: object) => toStoreError(Object.assign(new Error("x"), fields), "db").code;
  for (const code of ["EPIPE", "ECONNRESET", "ETIMEDOUT"])
    expect(codeOf({ code, syscall: "write", errno: -32 })).toBe("unreachable");
  for (const code of ["57P01", "25P03", "40P01"])
    expect(codeOf({ code, severity: "FATAL" })).toBe("unreachable");
  expect(codeOf({ code: "23505", severity: "ERROR" })).toBe("failed");
  expect(codeOf({ code: "53100", severity: "ERROR" })).toBe("full");
});

test("after a rejected write nothing of its chain is written, including writes already queued", async () => {
  const store = await open();
  await store.write(event(1));
  const refused = store.keep(event(1), "chain");
  refused.catch(() => {});
  const later: Promise<unknown>[] = [];
  for (let seq = 2; seq < 20; seq++) {
    const kept = store.keep(event(seq), "chain");
    kept.catch(() => {});
    later.push(kept);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const told = await Promise.allSettled([refused, ...later]);
  expect(new Set(told.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  await store.keep([appendEvent("s", { seq: 2, body: Buffer.of(2) })], "another chain");
  expect(await numbers(store)).toEqual([1, 2]);
});

test("a commit whose answer is lost is applied once", async () => {
  const { port, atCommit } = await proxied(new URL(url).searchParams.get("host") ?? "");
  const store = await open("one", `postgres://postgres@127.0.0.1:${port}${new URL(url).pathname}`);
  await store.write(event(1));
  let isLost = false;
  atCommit((client, server) => {
    isLost = true;
    // The server commits, but the answer is lost.
    server.removeAllListeners("data");
    server.once("data", () => client.destroy());
    return true;
  });
  await store.keep(event(2), "chain");
  expect(isLost).toBe(true);
  await store.keep(event(3), "chain");
  expect(await numbers(store)).toEqual([1, 2, 3]);
});

test("a commit that a killed server never saw is retried, even if another transaction got its number", async () => {
  const server = PostgresServer.begin();
  onTestFinished(async () => {
    await server.end();
    server.remove();
  });
  const { port, shut, atCommit } = await proxied(server.folder);
  const store = await open("one", `postgres://postgres@127.0.0.1:${port}/postgres`);
  await store.write(event(1));
  atCommit(() => {
    shut(true);
    void server.kill().then(async () => {
      server.start();
      // Other clients are faster and get the transaction numbers.
      await run(server.url(), "CREATE TABLE other (n int)");
      for (let n = 0; n < 5; n++) await run(server.url(), `INSERT INTO other VALUES (${n})`);
      shut(false);
    });
    return false;
  });
  await store.keep(event(2), "chain");
  expect(await numbers(store)).toEqual([1, 2]);
}, 60_000);

test("a slow server delays writers, counts as unreachable after a while, and receives everything in the end", async () => {
  const { port, stall } = await proxied(new URL(url).searchParams.get("host") ?? "");
  const store = await open("one", `postgres://postgres@127.0.0.1:${port}${new URL(url).pathname}`);
  const healths: (string | undefined)[] = [];
  store.onHealth = (error) => healths.push(error?.code);
  await store.write(event(1));
  stall(true);
  const kept = [2, 3, 4].map((seq) => store.keep(event(seq), "chain"));
  await vi.waitFor(() => expect(healths).toEqual(["unreachable"]), 20_000);
  expect(store.depth).toBe(3);
  await expect(store.write(event(9))).rejects.toMatchObject({ code: "unreachable" });
  stall(false);
  await Promise.all(kept);
  await vi.waitFor(() => expect(healths.at(-1)).toBeUndefined(), 20_000);
  expect(await numbers(store)).toEqual([1, 2, 3, 4]);
}, 60_000);

test("the servers in a URL are listed separately, and its password is never shown", () => {
  expect(serversIn("postgres://u:p@a,b:5433/db?sslmode=require")).toEqual([
    "postgres://u:p@a/db?sslmode=require",
    "postgres://u:p@b:5433/db?sslmode=require",
  ]);
  expect(
    serversIn("postgres://u@x/db?host=/run/a,/run/b&user=u").map((one) =>
      new URL(one).searchParams.get("host"),
    ),
  ).toEqual(["/run/a", "/run/b"]);
  expect(placeOf("postgres://u:secret@a:1,b:2/db")).toBe("postgres://a:1,b:2/db");
  expect(placeOf("postgres://u:secret@a/db")).toBe("postgres://a/db");
});

test("nodes continue on a promoted standby without losing anything acknowledged", async () => {
  const primary = PostgresServer.begin();
  const standby = primary.follow();
  onTestFinished(async () => {
    for (const server of [primary, standby]) {
      await server.end();
      server.remove();
    }
  });
  await run(primary.url(), "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await run(primary.url(), "SELECT pg_reload_conf()");
  const both = primary
    .url()
    .replace(/host=.*/, `host=${encodeURIComponent(`${primary.folder},${standby.folder}`)}`);
  const [one, two] = [await open("one", both), await open("two", both)];
  await one.write(event(1));
  await one.keep(event(2), "chain");
  const taken = vi.fn();
  for (const { nodes } of [one, two]) if (nodes) nodes.onTaken = taken;
  await primary.kill();
  const kept = [3, 4].map((seq) => one.keep(event(seq), "chain"));
  await vi.waitFor(() => expect(one.illness?.code).toBe("unreachable"), 20_000);
  expect(one.illness?.message).not.toContain("undefined");
  standby.promote();
  await Promise.all(kept);
  await vi.waitFor(() => two.write([appendEvent("t", { seq: 1, body: Buffer.of(1) })]), 20_000);
  expect(await numbers(one)).toEqual([1, 2, 3, 4]);
  expect(await numbers(two)).toEqual([1, 2, 3, 4]);
  await vi.waitFor(
    async () => expect((await two.nodes?.list())?.map(({ isAlive }) => isAlive)).toEqual([true, true]),
    20_000,
  );
  expect(taken).not.toHaveBeenCalled();
}, 120_000);
