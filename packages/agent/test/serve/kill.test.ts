import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { projectFolder, sessionFile } from "@agentwire/local/transcript";
import type { ScriptReply } from "@agentwire/models/script";
import { expect, test } from "vitest";
import { times } from "../../../../test/times.ts";
import { type AgentProcess, startAgent } from "../agent-process.ts";
import { expectSoundHistory } from "../history-checks.ts";
import { bash, newApi, STUBBORN, UNASKED } from "../model-source.ts";
import { expectNothingLeft, newPlace, type Place, remarked } from "../place.ts";
import { type Random, randomFrom } from "../random.ts";
import { SEED } from "../seed.ts";
import { holds, isResult, prompt, textOf } from "../wire.ts";

const [SESSIONS, LIVES, LANES] = [times(4, 10), 10, 3] as const;

/** A prompt of the test with the steps of its answer; the last step is the answer's text. */
interface Work {
  readonly text: string;
  readonly steps: readonly ScriptReply[];
  readonly answer: string;
}

/** A session that is killed repeatedly, and everything it must still know. */
interface Victim {
  readonly place: Place;
  readonly random: Random;
  id: string;
  lives: number;
  /** Prompts whose result the host has received, with their answers. */
  readonly kept: Work[];
  /** Incomplete lines that earlier kills have left. */
  torn: number;
}

/** The work of one life, in any order, and last one that never ends. */
function worksOf({ random, lives, place }: Victim): readonly Work[] {
  const work = (name: string, ...steps: readonly ScriptReply[]): Work => {
    const answer = `answer ${lives} ${name}.`;
    return {
      text: `prompt ${lives} ${name}.`,
      steps: [...steps, { text: answer, chunkSize: 3, chunkDelay: 1 }],
      answer,
    };
  };
  const file_path = join(place.cwd, `file-${lives}`);
  const write = { type: "tool_use", name: "Write", input: { file_path, content: "one two" } };
  const edit = { type: "tool_use", name: "Edit", input: { file_path, old_string: "two", new_string: "2" } };
  const middle = [
    work("talk"),
    work("files", { content: [{ type: "text", text: "I write." }, write] }, { content: [edit] }),
    work("background", { content: [bash(STUBBORN, { run_in_background: true })] }),
    work("commands", { content: [bash("echo out; sleep 30 & echo left"), bash("sleep 0.03; exit 3")] }),
  ];
  const shuffled = middle
    .map((item) => ({ item, key: random.below(1e6) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
  return [work("first"), ...shuffled, work("endless", { content: [bash(STUBBORN)] })];
}

/** Lives once: resumes if possible, works, and is killed at a random moment. */
async function live(victim: Victim): Promise<Place> {
  const { random, place, kept } = victim;
  const works = worksOf(victim);
  const mark = remarked(place);
  const api = await newApi({ steps: works.flatMap(({ steps }) => steps) });
  const before = await linesOf(victim);
  const isNew = kept.length === 0 && before.whole === 0;
  if (isNew) victim.id = crypto.randomUUID();
  const opening = isNew ? ["--session-id", victim.id] : ["--resume", victim.id];
  const agent = startAgent(mark, {
    args: [...opening, ...UNASKED],
    env: { ...api.env, CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true" },
  });
  await workUntilKilled(agent, works, random, (done) => kept.push(done));
  expect(agent.garbage.slice(0, -1), "lines that are not JSON").toEqual([]);
  expect(agent.complaints()).toBe("");
  const [first] = api.requests;
  if (!isNew && first) expectRemembered(first.body.messages, kept, victim.lives);
  if (agent.lines.some(isResult)) expect(agent.lines.find(isResult)).toMatchObject({ is_error: false });
  victim.lives++;
  victim.torn = (await linesOf(victim)).torn;
  await api.close();
  return mark;
}

const MOST_LINES = 34;

async function workUntilKilled(
  agent: AgentProcess,
  works: readonly Work[],
  random: Random,
  onDone: (work: Work) => void,
): Promise<void> {
  const diesAtLine = random.below(MOST_LINES);
  const graceMs = diesAtLine === 0 ? random.below(300) : random.below(12);
  const die = () => void setTimeout(() => agent.child.kill("SIGKILL"), graceMs);
  if (diesAtLine === 0) die();
  let [done, lines] = [0, 0];
  const next = () => agent.send(prompt(works[done]?.text ?? ""));
  agent.onLine = (line) => {
    if (++lines === diesAtLine) die();
    if (holds("tool_use")(line) && done === works.length - 1) die();
    if (!isResult(line) || line.num_turns === 0) return;
    const finished = works[done];
    // The end of a background task would start another turn; here none ever ends.
    expect(line.result).toBe(finished?.answer);
    if (finished) onDone(finished);
    done++;
    next();
  };
  next();
  const { signal } = await agent.ended();
  expect(signal).toBe("SIGKILL");
}

function expectRemembered(messages: unknown, kept: readonly Work[], life: number): void {
  const history = expectSoundHistory(messages).map(textOf).join("\n");
  for (const { text, answer } of kept.filter(({ text }) => !text.startsWith(`prompt ${life} `))) {
    expect(history.split(text), `"${text}" once in the history`).toHaveLength(2);
    expect(history).toContain(answer);
  }
}

/** Reads the transcript; an incomplete line must be the last one of a killed process. */
async function linesOf({ place, id, torn: known }: Victim): Promise<{ whole: number; torn: number }> {
  const text = await readFile(sessionFile(projectFolder(place.configDir, place.cwd), id), "utf8").catch(
    () => "",
  );
  const lines = text.split("\n").filter((line) => line !== "");
  const torn = lines.filter((line) => !isWhole(line)).length;
  const endsTorn = text !== "" && !text.endsWith("\n") ? 1 : 0;
  expect(torn, "half-written lines").toBeLessThanOrEqual(known + endsTorn);
  return { whole: lines.length - torn, torn };
}

function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}

/** One session through all of its lives, and a last one in which it may finish. */
async function torment(seed: number): Promise<void> {
  const victim: Victim = {
    place: await newPlace(),
    random: randomFrom(seed),
    id: "",
    lives: 0,
    kept: [],
    torn: 0,
  };
  // Checks for leftovers of a life while the next one starts; no failure may go unnoticed.
  const aftermaths: Promise<unknown>[] = [];
  for (let life = 0; life < LIVES; life++) {
    const place = await live(victim);
    aftermaths.push(expectNothingLeft(place).catch((error: unknown) => error));
  }
  for (const error of await Promise.all(aftermaths)) if (error !== undefined) throw error;
  const api = await newApi({ steps: [{ text: "I am still here." }] });
  const agent = startAgent(victim.place, { args: ["--resume", victim.id], env: api.env });
  agent.send(prompt("Are you still there?"));
  expect(await agent.line(isResult)).toMatchObject({ is_error: false, result: "I am still here." });
  expectRemembered(api.requests[0]?.body.messages, victim.kept, LIVES);
  agent.child.stdin.end();
  expect(await agent.ended()).toEqual({ code: 0, signal: null });
}

test(`a session survives ${SESSIONS * LIVES} kills at any moment, and no process that it started does (seed ${SEED})`, {
  timeout: 180_000,
}, async () => {
  const seeds = Array.from({ length: SESSIONS }, (_, index) => SEED * 1000 + index);
  const lane = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      await torment(seed).catch((error: Error) => {
        error.message = `session seed ${seed}: ${error.message}`;
        throw error;
      });
      await delay(0);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
});
