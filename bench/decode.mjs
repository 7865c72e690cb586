import { DIALECTS, parseLine, readLines } from "@agentwire/protocol";
import { compare } from "./measure.mjs";

/** Bytes to canonical messages, against the least that any reader must do: cut at newlines and JSON.parse. */
export const figures = [
  { name: "decode 200,000 stream_event lines", lines: () => deltas(200_000), target: 0.8, unit: "lines/s" },
  {
    name: "decode 200 lines of 1 MB",
    lines: () => Array.from({ length: 200 }, largeResult),
    target: 0.8,
    unit: "lines/s",
  },
].map(({ lines, ...figure }) => ({
  ...figure,
  reference: "bare split + JSON.parse",
  measure: () => measure(lines()),
}));

async function measure(lines) {
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { ours, reference } = await compare(
    9,
    () => decodeAll(bytes, lines.length),
    () => parseAll(bytes, lines.length),
  );
  return { ours: rate(ours, lines.length), reference: rate(reference, lines.length) };
}

async function decodeAll(bytes, expected) {
  let count = 0;
  const sink = {
    message: () => {
      count++;
    },
    repaired: fail,
    malformed: fail,
    reply: fail,
  };
  const translation = DIALECTS.claude.forHost();
  for await (const lines of readLines(chunks(bytes))) {
    for (const line of lines) translation.decode(parseLine(line), sink);
  }
  if (count !== expected) throw new Error(`${count} of ${expected} messages`);
}

/** The bare loop: as fast as plain code gets, with no cap, no checks and no care for invalid input. */
async function parseAll(bytes, expected) {
  let count = 0;
  let parts = [];
  for await (const chunk of chunks(bytes)) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end);
      const line = parts.length > 0 ? Buffer.concat([...parts, piece]) : piece;
      JSON.parse(line.toString("utf8"));
      count++;
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (count !== expected) throw new Error(`${count} of ${expected} messages`);
}

async function* chunks(bytes) {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}

const SESSION = "0b2e9a52-6a6c-4a1e-9f0e-0d6f3a1b2c3d";

function deltas(count) {
  return Array.from({ length: count }, (_, i) => ({
    type: "stream_event",
    event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: `word ${i} ` } },
    session_id: SESSION,
    parent_tool_use_id: null,
    uuid: "1c3f0b63-7b7d-4b2f-8a1f-1e7a4b2c3d4e",
  }));
}

function largeResult() {
  const content = [
    {
      type: "tool_result",
      tool_use_id: "toolu_01",
      content: "A line of a file, as tools print it.\n".repeat(26_000),
    },
  ];
  return {
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    session_id: SESSION,
    uuid: SESSION,
  };
}

const rate = ({ median, min, max }, count) => ({
  median: (count / median) * 1000,
  min: (count / max) * 1000,
  max: (count / min) * 1000,
});

function fail() {
  throw new Error("the benchmark's own lines are not clean");
}
