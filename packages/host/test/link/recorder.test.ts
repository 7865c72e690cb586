import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FRAMES, freshFolder, linkTo, PROMPT } from "../programs/shell-agent.ts";

test("a transcript holds every line of both directions in order, exactly as on the wire", {
  timeout: 30_000,
}, async () => {
  const record = join(freshFolder(), "transcript.jsonl");
  writeFileSync(record, "something old", { mode: 0o644 });
  const link = linkTo(
    `next; echo 'a banner'; init; printf '{"type":"x","text":"\\342\\200\\250" }\\n'; result; next`,
    { record },
  );
  link.send(PROMPT);
  await link.drain();
  const entries = readFileSync(record, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries.map(({ t, ...entry }) => entry)).toEqual([
    { dir: "in", line: PROMPT },
    { dir: "out", raw: true, line: "a banner" },
    { dir: "out", line: JSON.parse(FRAMES.init) },
    { dir: "out", unescaped: true, line: { type: "x", text: "\u2028" } },
    { dir: "out", line: JSON.parse(FRAMES.result) },
    { dir: "in", eof: true, line: null },
  ]);
  const times = entries.map(({ t }) => t);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(statSync(record).mode & 0o777).toBe(0o600);
});

test("a session whose recording fails does not continue", { timeout: 30_000 }, async () => {
  const link = linkTo("next; init; sleep 60", { record: "/dev/full" });
  link.send(PROMPT);
  expect((await link.ended).error).toMatchObject({
    code: "record_failed",
    message: expect.stringMatching(/ENOSPC/),
  });
});
