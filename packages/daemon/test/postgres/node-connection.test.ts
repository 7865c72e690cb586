import { expect, onTestFinished, test, vi } from "vitest";
import { connect } from "../../src/store/postgres/connection.ts";
import { NodeConnection } from "../../src/store/postgres/node-connection.ts";
import { newDatabase, run } from "./database.ts";

/** Takes the lock that shows a node is connected, so that the node has to wait for it. */
const TAKE_LIFE = "SELECT pg_advisory_lock(x'6167746e'::int, hashtext('one'))";

test("a connection that can't be restored in time fails, and the next attempt opens a new one", async () => {
  const url = await newDatabase();
  const connection = new NodeConnection(url, await connect(url), { nodeId: () => "one", onBook: () => {} });
  onTestFinished(() => connection.close());
  const ask = () => connection.alone((client) => client.query("SELECT 1 AS one"));
  expect((await ask()).rows).toEqual([{ one: 1 }]);
  const blocker = await connect(url);
  await blocker.query(TAKE_LIFE);
  await run(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), ${await pidOf(blocker)})`,
  );
  await vi.waitFor(async () => {
    const failure = await ask().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("has not answered"),
    });
  }, 20_000);
  await blocker.end();
  expect((await ask()).rows).toEqual([{ one: 1 }]);
}, 60_000);

async function pidOf(client: Awaited<ReturnType<typeof connect>>): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid ?? 0;
}
