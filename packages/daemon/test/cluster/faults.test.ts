import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { PostgresServer } from "../../../../test/postgres-server.ts";
import { times } from "../../../../test/times.ts";
import { type Lab, randomFrom } from "../chaos/lab.ts";
import { Witness } from "../chaos/witness.ts";
import { run } from "../postgres/database.ts";
import { freeze, Labs } from "./labs.ts";

const SEED = Number(process.env.AGENTWIRE_CHAOS_SEED) || Date.now() % 1_000_000;
const LIMIT_MS = 900_000;
const FAULT_COUNT = times(20, 200);
const PROMPTS = ["talk 3", "talk 12", "ask 2", "ask 0"];
const POLL = { timeout: 60_000 };
/** Longer than a lease. */
const HUNG_MS = 11_000;

/** What the faults act on, and the source of chance. */
interface Scene {
  readonly labs: Labs;
  readonly server: PostgresServer;
  readonly random: () => number;
}

const FAULTS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  async "a node is killed"({ labs }) {
    await labs.revive();
    await labs.kill(labs.pick(labs.all));
  },
  async "a node is stopped for a while"({ labs, random }) {
    await labs.revive();
    await freeze(labs.pick(labs.all), random() * 1500);
  },
  "all connections to the server are cut": ({ server }) =>
    run(
      server.url(),
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'agentwire'",
    ),
  async "the server is killed"({ server, random }) {
    await server.kill();
    await delay(random() * 800);
    server.start();
  },
};

test(
  "three nodes that are killed, frozen and cut off at random lose nothing and run nothing twice",
  async () => {
    process.stdout.write(`faults: AGENTWIRE_CHAOS_SEED=${SEED}\n`);
    const server = PostgresServer.begin();
    const random = randomFrom(SEED);
    const labs = new Labs(["one", "two", "three"], server.url(), random);
    try {
      await labs.start();
      const witnesses = await Promise.all(
        labs.all.map(async (lab) => new Witness(labs, await created(lab, labs.folder))),
      );
      const sending: Promise<void>[] = [];
      const send = (key: string) => {
        const sent = labs.pick(witnesses).send(key, labs.pick(PROMPTS));
        // The verdicts check at the end whether all were acknowledged.
        sent.catch(() => {});
        sending.push(sent);
      };
      for (let at = 0; at < FAULT_COUNT; at++) {
        for (const part of ["a", "b"]) send(`${at}-${part}`);
        await delay(random() * 200);
        await labs.pick(Object.values(FAULTS))({ labs, server, random });
      }
      await labs.revive();
      await Promise.all(sending);
      await hang(labs, server);
      for (const witness of witnesses) await witness.send("last", "talk 1");
      let retries = 0;
      for (const witness of witnesses)
        await labs.pick(labs.all).idle(witness.sessionId, () => witness.send(`retry-${retries++}`, "talk 1"));
      const verdicts = await Promise.all(witnesses.map((witness) => witness.verdict()));
      expect(verdicts.flat(), `seed ${SEED}`).toEqual([]);
      await Promise.all(witnesses.map((witness) => witness.leave()));
      expect(labs.ranTwice, `prompts that ran twice, seed ${SEED}`).toEqual([]);
      const open = await run(server.url(), "SELECT id FROM questions WHERE disposition = 1");
      expect(open, `questions without an end, seed ${SEED}`).toEqual([]);
      expect(await labs.stop(), `agents that are left, seed ${SEED}`).toEqual([]);
    } finally {
      await labs.end();
      await server.end();
      server.remove();
    }
  },
  LIMIT_MS,
);

/** A node hangs for longer than its lease in the middle of a turn: what its agent produces after that is rejected. */
async function hang(labs: Labs, server: PostgresServer): Promise<void> {
  const [one] = labs.all as [Lab];
  const sessionId = await created(one, labs.folder);
  const witness = new Witness(labs, sessionId);
  await witness.send("zombie", "talk 2000");
  const written = () =>
    run(server.url(), `SELECT max(seq)::int AS n FROM events WHERE session_id = '${sessionId}'`);
  while (Number((await written())[0]?.n) < 20) await delay(20);
  const epochOf = async () => (await run(server.url(), "SELECT epoch::int FROM nodes WHERE name = 'one'"))[0];
  const before = await epochOf();
  await freeze(one, HUNG_MS);
  await witness.send("after", "talk 1");
  await labs.pick(labs.all).idle(sessionId);
  // The node that takes over raises the epoch, and the hung node raises it when it returns.
  await expect
    .poll(async () => Number((await epochOf())?.epoch), POLL)
    .toBeGreaterThan(Number(before?.epoch) + 1);
  expect(await witness.verdict(), `of the node that hung, seed ${SEED}`).toEqual([]);
  await witness.leave();
}

/** A new session on a node, as soon as the node accepts one. */
async function created({ sessions }: Lab, cwd: string): Promise<string> {
  for (const idempotencyKey = randomUUID(); ; await delay(50))
    try {
      const { session } = await sessions.createSession({ cwd, idempotencyKey });
      return session?.id ?? "";
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unavailable) throw error;
    }
}
