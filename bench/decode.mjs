import { parseLine, readLines } from "@agentwire/protocol";
import { DIALECTS } from "@agentwire/protocol/dialect";
import { deltas, largeResults } from "./host/program.mjs";
import { compare, perSecond } from "./measure.mjs";

/** Bytes to canonical messages, against the least that any reader must do: cut at newlines and JSON.parse. */
export const figures = [
  { name: "protocol: decode 200,000 stream_event lines", lines: () => deltas(200_000) },
  { name: "protocol: decode 200 lines of 1 MB", lines: () => largeResults(200) },
].map(({ name, lines }) => ({
  name,
  unit: "lines/s",
  reference: "bare split + JSON.parse",
  target: 0.8,
  measure: () => measure(lines()),
}));

async function measure(lines) {
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { ours, reference } = await compare(
    9,
    () => decodeAll(bytes, lines.length),
    () => parseAll(bytes, lines.length),
  );
  return { ours: perSecond(ours, lines.length), reference: perSecond(reference, lines.length) };
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

function fail() {
  throw new Error("the benchmark's own lines are not clean");
}
