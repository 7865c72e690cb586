import { randomUUID } from "node:crypto";
import { connectToHost } from "@agentwire/protocol";
import { DIALECTS, type DialectName } from "@agentwire/protocol/dialect";
import { NO_USAGE } from "@agentwire/protocol/messages";

/** An agent that echoes what it receives, in the dialect named on its command line. */
const connection = connectToHost({
  input: process.stdin,
  output: process.stdout,
  dialect: DIALECTS[process.argv[2] as DialectName],
  handlers: { initialize: () => ({}) as never, interrupt: () => ({ still_queued: [] }) },
});

const trailer = () => ({ uuid: randomUUID(), session_id: "s" });

for await (const message of connection.messages) {
  if (message.type !== "user") continue;
  const { content } = message.message;
  const text = typeof content === "string" ? content : "";
  connection.send({
    type: "system",
    subtype: "init",
    cwd: "/",
    tools: [],
    mcp_servers: [],
    model: "echo",
    permissionMode: "default",
    slash_commands: [],
    apiKeySource: "none",
    output_style: "default",
    ...trailer(),
  } as never);
  connection.send({
    type: "assistant",
    message: {
      id: "m1",
      type: "message",
      role: "assistant",
      model: "echo",
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: NO_USAGE,
    },
    parent_tool_use_id: null,
    ...trailer(),
  });
  connection.send({
    type: "result",
    subtype: "success",
    is_error: false,
    result: text,
    stop_reason: "end_turn",
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    usage: NO_USAGE,
    modelUsage: {},
    permission_denials: [],
    ...trailer(),
  });
}
await connection.close();
