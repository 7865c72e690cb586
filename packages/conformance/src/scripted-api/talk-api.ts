import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { playScript, type ScriptBlock, type ScriptReply } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { at, listAt, textAt } from "../json-path.ts";
import { answerOther, readBody, sendReply, wireAt } from "./server.ts";

/** A reply to an agent: a text, or a command for its shell tool. */
export type TalkReply = ScriptReply | { readonly shell: string };

/** An API that chooses replies by the most recent prompt. */
export interface TalkApi {
  readonly url: string;
  /** The requests that offered tools, converted to the Messages API. */
  readonly turns: readonly JsonObject[];
  close(): Promise<void>;
}

/** The names that agents give to their shell tool. */
const SHELLS: readonly string[] = [
  "Bash",
  "bash",
  "run_shell_command",
  "exec_command",
  "shell_command",
  "shell",
  "developer__shell",
];

/**
 * Starts an API for any agent that speaks one of the wires. `replies` are selected by a word in the prompt; `tool_result` is the
 * reply to a tool result. Requests without tools, such as those for a title, get a separate text.
 */
export async function startTalkApi(replies: Readonly<Record<string, TalkReply>>): Promise<TalkApi> {
  const turns: JsonObject[] = [];
  const player = playScript({ steps: [] }, new Map(), { idMark: "_fake" });
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    const wire = wireAt(path);
    if (request.method !== "POST" || !wire) return answerOther(request, response, path);
    const answer = async () => {
      const body = wire.toMessages((await readBody(request)) ?? {}, path);
      const tools = listAt(body, "tools");
      if (tools.length > 0) turns.push(body);
      const reply = tools.length > 0 ? replyTo(body, replies) : undefined;
      const frames = player.frames(playable(reply ?? { text: "ok" }, tools), String(body.model));
      await sendReply(response, frames, wire, body.stream === true);
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turns,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Agents append their own notes to the user's text, so the last matching word counts. */
function replyTo(body: JsonObject, replies: Readonly<Record<string, TalkReply>>): TalkReply | undefined {
  const said = JSON.stringify(body.messages);
  const places = Object.keys(replies).map((word) => [said.lastIndexOf(word), replies[word]] as const);
  const last = places.reduce((latest, next) => (next[0] > latest[0] ? next : latest), [-1, undefined]);
  return last[1];
}

function playable(reply: TalkReply, tools: readonly unknown[]): ScriptReply {
  if (!("shell" in reply)) return reply;
  const tool = tools.find((one) => SHELLS.includes(textAt(one, "name") ?? ""));
  if (tool === undefined) return { text: "no tool that is offered runs commands" };
  const takes = (name: string) => at(tool, "input_schema", "properties", name) !== undefined;
  const isList = textAt(at(tool, "input_schema", "properties", "command"), "type") === "array";
  const call: ScriptBlock = {
    type: "tool_use",
    name: textAt(tool, "name") ?? "",
    input: {
      [takes("cmd") ? "cmd" : "command"]: isList ? ["bash", "-c", reply.shell] : reply.shell,
      ...(takes("description") && { description: "Does it" }),
      ...(takes("is_background") && { is_background: false }),
      // Codex asks only about commands that leave its sandbox.
      ...(takes("sandbox_permissions") && {
        sandbox_permissions: "require_escalated",
        justification: "May it do that?",
      }),
    },
  };
  return { content: [call] };
}
