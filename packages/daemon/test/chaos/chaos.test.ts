import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { times } from "../../../../test/times.ts";
import { Lab, randomFrom, TINY_AGENT } from "./lab.ts";
import { Witness } from "./witness.ts";

const OWN_AGENT = {
  name: "own",
  path: fileURLToPath(new URL("../../../agent/bin/agentwire-agent", import.meta.url)),
};
const SEED = Number(process.env.AGENTWIRE_CHAOS_SEED) || Date.now() % 1_000_000;

type Victim = "daemon" | "agent" | "client";

interface Plan {
  readonly seed: number;
  readonly runs: number;
  readonly victims: readonly Victim[];
  readonly spareProcesses: number;
  readonly agent: { readonly name: string; readonly path?: string };
  readonly prompts: readonly string[];
}

/** Far more than needed: a busy machine may be slow, and that is not a fault. */
const LIMIT_MS = 600_000;

async function havoc(plan: Plan): Promise<void> {
  const { agent, spareProcesses, seed } = plan;
  const lab = new Lab({ agents: [agent], spareProcesses, maxProcesses: 6 });
  const diary = { at: "the start" };
  const late = setTimeout(() => {
    process.stderr.write(`chaos with seed ${seed} has not come further than ${diary.at}\n`);
  }, LIMIT_MS - 10_000);
  try {
    await lab.start();
    await killAround(lab, plan, diary);
    expect(await lab.kill("SIGTERM"), "how the daemon ended").toBe(0);
    expect(await lab.noAgents(), "agents that are left").toEqual([]);
  } finally {
    clearTimeout(late);
    await lab.end();
  }
}

/** Kills something at a random moment, again and again, while prompts are sent; then checks what was stored. */
async function killAround(
  lab: Lab,
  { seed, runs, victims, prompts }: Plan,
  diary: { at: string },
): Promise<void> {
  const random = randomFrom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const witnesses = await Promise.all(
    [1, 2, 3].map(async () => {
      const { session } = await lab.sessions.createSession({});
      return new Witness(lab, session?.id ?? "");
    }),
  );
  const sending: Promise<void>[] = [];
  for (let run = 0; run < runs; run++) {
    for (let i = 0; i < 2; i++) sending.push(pick(witnesses).send(`${run}-${i}`, pick(prompts)));
    const victim = pick(victims);
    diary.at = `run ${run}, where the ${victim} is killed`;
    if (victim === "client") await killClient(lab, pick(witnesses), `client-${run}`, random() * 60);
    else {
      await delay(random() * (victim === "daemon" ? 150 : 60));
      if (victim === "daemon") {
        await lab.kill("SIGKILL");
        await lab.start();
      } else killOne(pick(lab.agents()));
    }
  }
  diary.at = "the last prompts";
  await Promise.all(sending);
  for (const witness of witnesses) await witness.send("last", "talk 1");
  diary.at = "rest";
  for (const witness of witnesses) {
    // The fifth death may be noticed only after the last prompt was accepted; the next one retries.
    let retries = 0;
    await lab.idle(witness.sessionId, () => witness.send(`retry-${retries++}`, "talk 1"));
  }
  const verdicts = await Promise.all(witnesses.map((witness) => witness.verdict()));
  expect(verdicts.flat(), `seed ${seed}`).toEqual([]);
  await Promise.all(witnesses.map((witness) => witness.leave()));
}

function killOne(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}

/** Prompts acknowledged to the client before it died count; the one it was sending is sent again under the same key. */
async function killClient(lab: Lab, witness: Witness, name: string, ms: number): Promise<void> {
  const client = lab.client(witness.sessionId, name);
  await Promise.race([new Promise((resolve) => client.process.stdout?.once("data", resolve)), delay(2000)]);
  await delay(ms);
  const closed = new Promise((resolve) => client.process.once("close", resolve));
  client.process.kill("SIGKILL");
  await closed;
  for (const line of client.lines) {
    const [what, key = "", promptId = "", seq] = line.split(" ");
    if (what === "acked") witness.ack({ key, promptId, seq: Number(seq) });
  }
  const tried = client.lines.findLast((line) => line.startsWith("trying"))?.split(" ")[1];
  if (tried !== undefined) await witness.send(tried, "talk 2");
}

const TINY = { agent: TINY_AGENT, prompts: ["talk 3", "talk 12", "ask 2", "ask 0"] };

describe("after kills at random moments nothing acknowledged is lost and sessions continue", () => {
  test.concurrent.each<[string, Omit<Plan, "seed">]>([
    ["kills of the daemon", { ...TINY, runs: times(10, 26), victims: ["daemon"], spareProcesses: 0 }],
    ["kills of agents", { ...TINY, runs: times(40, 100), victims: ["agent"], spareProcesses: 0 }],
    ["kills of clients", { ...TINY, runs: times(15, 40), victims: ["client"], spareProcesses: 0 }],
    [
      "kills of any of them, with spare processes",
      { ...TINY, runs: times(12, 30), victims: ["daemon", "agent", "client"], spareProcesses: 1 },
    ],
    [
      "kills of any of them, with the built-in agent",
      {
        agent: OWN_AGENT,
        prompts: ["hello", "run true"],
        runs: times(8, 15),
        victims: ["daemon", "agent", "client"],
        spareProcesses: 1,
      },
    ],
  ])("%s", async (_, plan) => havoc({ ...plan, seed: SEED }), LIMIT_MS);
});
