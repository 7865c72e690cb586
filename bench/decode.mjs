import { encodeLine, parseLine, readLines } from "@agentwire/protocol";
import { DIALECTS } from "@agentwire/protocol/dialect";
import { deltas, largeResults } from "./host/program.mjs";
import { compare, perSecond } from "./measure.mjs";

/** Decodes bytes to canonical messages, compared with the minimum that any reader must do: split at newlines and JSON.parse. */
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

/** The same deltas over the Agent Client Protocol, compared with the official dialect. */
figures.push({
  name: "protocol: decode 200,000 deltas of the Agent Client Protocol",
  unit: "lines/s",
  reference: "the same deltas in the official dialect",
  target: 0.5,
  measure: measureAcp,
});

/** The other direction: writes an agent's deltas as lines of the protocol. */
figures.push({
  name: "protocol: write 200,000 deltas of the Agent Client Protocol",
  unit: "lines/s",
  reference: "the same deltas in the official dialect",
  target: 0.5,
  measure: async () => {
    const messages = deltas(200_000);
    const { ours, reference } = await compare(
      9,
      () => encodeAll(messages, DIALECTS.acp.forAgent()),
      () => encodeAll(messages, DIALECTS.claude.forAgent()),
    );
    return { ours: perSecond(ours, messages.length), reference: perSecond(reference, messages.length) };
  },
});

function encodeAll(messages, translation) {
  const sink = { message: fail, repaired: fail, malformed: fail, reply: fail };
  let count = 0;
  for (const message of messages)
    for (const line of translation.encode(message, sink)) if (encodeLine(line).length > 0) count++;
  if (count !== messages.length) throw new Error(`${count} of ${messages.length} lines`);
}

async function measureAcp() {
  const official = deltas(200_000);
  const bytes = (lines) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const [theirs, ours] = [bytes(official), bytes(official.map(acpChunk))];
  const { ours: acp, reference } = await compare(
    9,
    () => decodeAll(ours, official.length + OPENING_EVENTS, openAcp()),
    () => decodeAll(theirs, official.length),
  );
  return { ours: perSecond(acp, official.length), reference: perSecond(reference, official.length) };
}

/** A reply starts with two events that are not deltas. */
const OPENING_EVENTS = 2;

const acpChunk = ({ event, session_id: sessionId }) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: event.delta.text } },
  },
});

/** A translation whose session is open. */
function openAcp() {
  const translation = DIALECTS.acp.forHost();
  const results = { initialize: { protocolVersion: 1 }, "session/new": { sessionId: "s1" } };
  const sink = {
    message: () => {},
    repaired: fail,
    malformed: fail,
    reply: ({ id, method }) => translation.decode({ jsonrpc: "2.0", id, result: results[method] }, sink),
  };
  const session = { cwd: "/", partial_messages: true };
  translation.encode(
    { type: "control_request", request_id: "1", request: { subtype: "initialize", session } },
    sink,
  );
  return translation;
}

async function measure(lines) {
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { ours, reference } = await compare(
    9,
    () => decodeAll(bytes, lines.length),
    () => parseAll(bytes, lines.length),
  );
  return { ours: perSecond(ours, lines.length), reference: perSecond(reference, lines.length) };
}

async function decodeAll(bytes, expected, translation = DIALECTS.claude.forHost()) {
  let count = 0;
  const sink = {
    message: () => {
      count++;
    },
    repaired: fail,
    malformed: fail,
    reply: fail,
  };
  for await (const lines of readLines(chunks(bytes))) {
    for (const line of lines) translation.decode(parseLine(line), sink);
  }
  if (count !== expected) throw new Error(`${count} of ${expected} messages`);
}

/** The bare loop, as fast as plain code gets: without a line limit, checks or handling of invalid input. */
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
