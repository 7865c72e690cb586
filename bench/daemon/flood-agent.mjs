#!/usr/bin/env node
// An agent with minimal cost: it answers a prompt of the form {"lines": n, "perSecond": n} with that many deltas, several at a time
// with {"atOnce": n}, and one of the form {"messages": n} with that many messages.
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  console.log("2.1.325 (Claude Code)");
  process.exit(0);
}

const session_id = "flood";
const line = (value) => `${JSON.stringify(value)}\n`;
const say = (value) => process.stdout.write(line({ ...value, uuid: "u", session_id }));
const event = (value) => ({
  type: "stream_event",
  event: value,
  parent_tool_use_id: null,
  uuid: "u",
  session_id,
});
const message = { id: "msg_1", type: "message", role: "assistant", model: "flood", content: [], usage: {} };
const delta = (text) => event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const DELTA = line(delta("a piece of the reply "));
const BLOCK = 200;

createInterface({ input: process.stdin }).on("line", (text) => {
  const said = JSON.parse(text);
  if (said.type === "control_request")
    process.stdout.write(
      line({
        type: "control_response",
        response: {
          subtype: "success",
          request_id: said.request_id,
          response: { commands: [], models: [], account: {} },
        },
      }),
    );
  if (said.type === "user") void answer(JSON.parse(said.message.content));
});

async function answer({ lines, perSecond, atOnce, messages }) {
  say({
    type: "system",
    subtype: "init",
    cwd: "/",
    model: "flood",
    tools: ["Bash"],
    mcp_servers: [],
    permissionMode: "default",
  });
  process.stdout.write(line(event({ type: "message_start", message })));
  if (messages) await talk(messages);
  else if (perSecond && atOnce) await inBlocks(lines, perSecond, atOnce);
  else if (perSecond) await paced(lines, perSecond);
  else await flood(lines);
  say({
    type: "assistant",
    message: { ...message, content: [{ type: "text", text: "done" }] },
    parent_tool_use_id: null,
  });
  say({
    type: "result",
    subtype: "success",
    is_error: false,
    result: "done",
    duration_ms: 1,
    num_turns: 1,
    usage: {},
  });
}

/** As fast as they are read. */
async function flood(lines) {
  const block = DELTA.repeat(BLOCK);
  for (let written = 0; written < lines; written += BLOCK)
    if (!process.stdout.write(block)) await new Promise((resolve) => process.stdout.once("drain", resolve));
}

/** Whole messages of a few paragraphs each. */
async function talk(messages) {
  for (let i = 0; i < messages; i++) {
    const text = `## Message ${i}\n\n${"Some words about what was seen. ".repeat(8)}\n\n- one\n- two`;
    const said = { ...message, id: `msg_${i}`, content: [{ type: "text", text }] };
    const value = { type: "assistant", message: said, parent_tool_use_id: null, uuid: "u", session_id };
    if (!process.stdout.write(line(value)))
      await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
}

/** A steady stream that is too fast to write lines one by one. */
async function inBlocks(lines, perSecond, atOnce) {
  const began = performance.now();
  const block = DELTA.repeat(atOnce);
  for (let i = 0; i < lines; i += atOnce) {
    const wait = began + (i * 1000) / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if (!process.stdout.write(block)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
}

/** Each delta contains the time at which it was written. */
async function paced(lines, perSecond) {
  const began = performance.now();
  for (let i = 0; i < lines; i++) {
    const due = began + (i * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    process.stdout.write(line(delta(String(performance.timeOrigin + performance.now()))));
  }
}
