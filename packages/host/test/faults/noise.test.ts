import { expect, test } from "vitest";
import { FRAMES, linkTo, PROMPT, typesOf } from "../programs/shell-agent.ts";

test("banners before and between the lines cause no other line to be lost", { timeout: 30_000 }, async () => {
  const link = linkTo(`
    echo 'Welcome to the agent!'; echo; printf '\\033[1mbold\\033[0m\\n'; echo '{ not json'; echo '[1,2]'; echo null
    next; init; echo 'npm notice: update available'; text; printf '\\377\\376\\n'; printf '%s\\r\\n' '${FRAMES.result}'`);
  link.send(PROMPT);
  expect(await typesOf(link)).toEqual(["system", "assistant", "result"]);
  expect(await link.ended).not.toHaveProperty("error");
});

/** Prints a line of about this size without an argument of the same size. */
const longLine = (megabytes: number) =>
  `printf '{"type":"big","text":"'; head -c ${megabytes}000000 /dev/zero | tr '\\0' y; printf '"}\\n'`;

test("a line of 20 MB arrives whole", { timeout: 30_000 }, async () => {
  const link = linkTo(`next; init; ${longLine(20)}; result`);
  link.send(PROMPT);
  const sizes: number[] = [];
  for await (const message of link.messages) sizes.push(JSON.stringify(message).length);
  expect(sizes).toHaveLength(3);
  expect(sizes[1]).toBeGreaterThan(20_000_000);
  expect(await link.ended).not.toHaveProperty("error");
});

test("a line beyond the limit ends the link, because a message would be missing", {
  timeout: 30_000,
}, async () => {
  const link = linkTo(`next; init; ${longLine(2)}; sleep 60`, { maxLineBytes: 1_000_000 });
  link.send(PROMPT);
  expect(await typesOf(link)).toEqual(["system"]);
  expect((await link.ended).error).toMatchObject({ code: "line_too_long", exitSignal: "SIGTERM" });
});

test("a caller with onMalformed decides about bad lines, and gets the line of each message", async () => {
  const faults: string[] = [];
  const lines: string[] = [];
  const link = linkTo(`next; init; ${longLine(2)}; result`, {
    maxLineBytes: 1_000_000,
    onMalformed: ({ code }, line) => faults.push(`${code}: ${typeof line === "string" ? "" : line.bytes}`),
    onMessage: ({ type }, line) => lines.push(`${type}: ${String(line).startsWith(`{"type":"${type}"`)}`),
  });
  link.send(PROMPT);
  expect(await typesOf(link)).toEqual(["system", "result"]);
  expect(faults).toEqual(["too_long: 2000024"]);
  expect(lines).toEqual(["system: true", "result: true"]);
});

test("a caller with take gets each message with its line, and none is kept for later", async () => {
  const taken: string[] = [];
  const odd = '{"type":"assistant","message":7}';
  const link = linkTo(`next; init; echo '${odd}'; result`, {
    take: ({ type }, line) => void taken.push(`${type}: ${String(line).startsWith('{"type":"')}`),
  });
  link.send(PROMPT);
  expect(await typesOf(link)).toEqual([]);
  expect(taken).toEqual(["system: true", "unknown: true", "result: true"]);
});

test("a second answer to the same request is dropped", { timeout: 30_000 }, async () => {
  const link = linkTo("next; answer; answer; next; answer; answer");
  await expect(link.request("set_permission_mode", { mode: "plan" })).resolves.toEqual(expect.any(Object));
  await expect(link.request("interrupt", {})).resolves.toMatchObject({ still_queued: [] });
});
