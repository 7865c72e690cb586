import { connect, createServer } from "node:net";
import { join } from "node:path";
import { silentLog } from "@agentwire/protocol/support";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { appendEvent, newRecord } from "../store/place.ts";
import { newDatabase, run } from "./database.ts";

let url: string;
beforeEach(async () => {
  url = await newDatabase();
});

async function open(id = "one", at = url): Promise<Store> {
  const store = await openPostgresStore(at, { id, address: `${id}.example` }, silentLog);
  onTestFinished(() => store.close());
  return store;
}

const event = (seq: number) => [appendEvent("s", { seq, body: Buffer.of(seq) })];
const numbers = async (store: Store) => (await store.events.after("s", 0, 100)).map(({ seq }) => seq);

/** Lets a database take connections, or ends all that it has and lets it take none. */
async function cut(takesNew: boolean): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const server = url.replace(`/${name}?`, "/postgres?");
  await run(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${takesNew}`);
  if (!takesNew)
    await run(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
}

test("daemons that start at once make the tables once, and only one of them gets the database", async () => {
  const starts = await Promise.allSettled(["a", "b", "c"].map((id) => open(id)));
  const refused = starts.flatMap((start) => (start.status === "rejected" ? [start.reason] : []));
  expect(refused).toHaveLength(2);
  for (const error of refused)
    expect(error).toMatchObject({ code: "busy", message: expect.stringMatching(/another daemon .*example/) });
  expect(await run(url, "SELECT count(*)::int AS n FROM agentwire")).toEqual([{ n: 1 }]);
});

test("a database of a newer daemon, a wrong password's server and no server at all are told apart", async () => {
  await (await open()).close();
  await run(url, "UPDATE agentwire SET version = 99");
  await expect(open()).rejects.toMatchObject({ code: "foreign", message: expect.stringContaining("newer") });
  await expect(open("one", "postgres://x:secret@127.0.0.1:1/none")).rejects.toMatchObject({
    code: "unreachable",
    message: expect.not.stringContaining("secret"),
  });
  const missing = url.replace(/\/test_\w+\?/, "/missing?");
  await expect(open("one", missing)).rejects.toMatchObject({ code: "read_only" });
});

test("what a daemon writes is refused once another has taken over, and its sessions are the other's", async () => {
  const first = await open();
  await first.write([{ type: "addSession", record: newRecord({ id: "s" }) }, ...event(1)]);
  await expect(open("two")).rejects.toMatchObject({ code: "busy" });
  // As if it had been stopped for longer than its lease.
  await run(url, "UPDATE nodes SET expires = now() - interval '1 s'");
  const second = await open("two");
  const told = await Promise.allSettled([first.keep(event(2), "chain"), first.write(event(3))]);
  expect(told).toMatchObject([
    { status: "rejected", reason: { code: "fenced" } },
    { status: "rejected", reason: { code: "fenced" } },
  ]);
  expect(first.failure).toMatchObject({ code: "fenced" });
  await expect(first.write(event(4))).rejects.toMatchObject({ code: "fenced" });
  await second.write(event(2));
  expect(await numbers(second)).toEqual([1, 2]);
  expect(await run(url, "SELECT owner FROM sessions")).toEqual([{ owner: "two" }]);
});

test("a daemon that is started again fences the one that it was", async () => {
  const before = await open();
  const after = await open();
  await after.write(event(1));
  await expect(before.write(event(2))).rejects.toMatchObject({ code: "fenced" });
});

test("without the server clients are told so; what must not be lost waits, and is written in order", async () => {
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

test("a commit whose answer is lost counts once", async () => {
  const folder = new URL(url).searchParams.get("host") ?? "";
  let isCutting = false;
  const proxy = createServer((client) => {
    const server = connect(join(folder, ".s.PGSQL.5432"));
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on("error", end).on("close", end);
    server.on("data", (data) => client.write(data));
    client.on("data", (data) => {
      const isCommit = isCutting && data.includes("COMMIT");
      if (isCommit) {
        isCutting = false;
        // The server commits, and nobody hears of it.
        server.removeAllListeners("data");
        server.once("data", end);
      }
      server.write(data);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as { port: number };
  const store = await open("one", `postgres://postgres@127.0.0.1:${port}${new URL(url).pathname}`);
  await store.write(event(1));
  isCutting = true;
  await store.keep(event(2), "chain");
  expect(isCutting).toBe(false);
  await store.keep(event(3), "chain");
  expect(await numbers(store)).toEqual([1, 2, 3]);
});
