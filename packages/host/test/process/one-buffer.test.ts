import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { AgentOutputMessage } from "../../src/link/link.ts";
import { withOneBuffer } from "../../src/process/one-buffer.ts";
import { linkTo, PROMPT, typesOf } from "../programs/shell-agent.ts";

const MIB = 1_048_576;

/** A shell function: writes a message of its own type, with a letter repeated many times. */
const LONG = `long() { printf '{"type":"%s","text":"' "$1"; head -c "$2" /dev/zero | tr '\\0' "$1"; printf '"}\\n'; }`;

async function chunksOf(script: string): Promise<{ memory: Set<ArrayBufferLike>; text: string }> {
  const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  const output = withOneBuffer(child.stdout);
  const memory = new Set<ArrayBufferLike>();
  let text = "";
  output.on("data", (chunk: Buffer) => {
    memory.add(chunk.buffer);
    text += chunk.toString("utf8");
  });
  output.resume();
  await once(output, "end");
  return { memory, text };
}

describe("the output of a child", () => {
  test("is read into one buffer, the same for all children", async () => {
    const [one, other] = await Promise.all([
      chunksOf("for i in 1 2 3; do echo $i; sleep 0.05; done"),
      chunksOf("for i in 4 5 6; do echo $i; sleep 0.05; done"),
    ]);
    expect([one.text, other.text]).toEqual(["1\n2\n3\n", "4\n5\n6\n"]);
    expect(new Set([...one.memory, ...other.memory]).size).toBe(1);
  });

  test("waits until it is resumed", async () => {
    const child = spawn("sh", ["-c", "echo early"], { stdio: ["ignore", "pipe", "inherit"] });
    const output = withOneBuffer(child.stdout);
    await once(child, "exit");
    await wait(50);
    const said = once(output, "data");
    output.resume();
    expect(String((await said)[0])).toBe("early\n");
  });

  test("yields after a quarter of a megabyte per turn of the event loop, and is read to its end", async () => {
    const child = spawn("head", ["-c", String(8 * MIB), "/dev/zero"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const output = withOneBuffer(child.stdout);
    const turns: number[] = [];
    let bytes = 0;
    output.on("data", (chunk: Buffer) => {
      if (bytes === 0)
        setImmediate(() => {
          turns.push(bytes);
          bytes = 0;
        });
      bytes += chunk.length;
      // The time it takes to fill the pipe again.
      for (const end = performance.now() + 1; performance.now() < end; );
    });
    output.resume();
    await once(output, "close");
    expect(turns.reduce((sum, each) => sum + each, 0)).toBe(8 * MIB);
    expect(Math.max(...turns)).toBeLessThan((5 * MIB) / 16 + 1);
  });

  test("of another kind is returned unchanged", () => {
    const output = new PassThrough();
    expect(withOneBuffer(output)).toBe(output);
  });
});

test("the output of many agents at once is not mixed up", { timeout: 60_000 }, async () => {
  const letters = ["a", "b", "c", "d"];
  const heard = await Promise.all(
    letters.map(async (letter) => {
      const link = linkTo(`${LONG}; for i in 1 2 3 4 5 6 7 8; do long ${letter} ${MIB}; done`);
      const texts: string[] = [];
      for await (const message of link.messages) texts.push(textOf(message));
      return texts;
    }),
  );
  expect(heard.map((texts) => texts.length)).toEqual([8, 8, 8, 8]);
  for (const [i, texts] of heard.entries())
    expect(texts.every((text) => text === (letters[i] as string).repeat(MIB))).toBe(true);
});

test("a slow reader gets the last messages of an agent that has gone", { timeout: 60_000 }, async () => {
  const link = linkTo(
    `${LONG}; next; init; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do long x ${MIB}; done; sleep 0.3; text; result`,
  );
  link.send(PROMPT);
  // Longer than the wait for an empty pipe whose process has gone.
  await wait(1500);
  expect(await typesOf(link)).toEqual(["system", ...Array(16).fill("unknown"), "assistant", "result"]);
});

const textOf = (message: AgentOutputMessage) =>
  (message as { payload?: { text?: string } }).payload?.text ?? "";
