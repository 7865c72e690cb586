import type { HostMessage, PromptMessage } from "@agentwire/protocol";
import type { Link } from "../link/link.ts";
import type { SDKUserMessage } from "../sdk/conversation-messages.ts";
import type { Prompt } from "../sdk/query.ts";

/** Sends prompts as they come until there are no more, or the agent is gone; returns how many were sent. */
export async function feed(link: Link, prompt: Prompt, verbatim: boolean): Promise<number> {
  const composed = verbatim ? { client_composed: true } : {};
  if (typeof prompt === "string") {
    link.send({ ...textPrompt(prompt), ...composed });
    return 1;
  }
  const prompts = prompt[Symbol.asyncIterator]();
  let isGone = false;
  let leave = () => {};
  void link.ended.then(() => {
    isGone = true;
    leave();
  });
  for (let count = 0; ; count++) {
    const next = await new Promise<IteratorResult<SDKUserMessage, unknown> | undefined>((resolve, reject) => {
      leave = () => resolve(undefined);
      if (isGone) leave();
      else prompts.next().then(resolve, reject);
    });
    if (!next) void prompts.return?.()?.catch(() => undefined);
    if (!next || next.done) return count;
    link.send(toWire(next.value, composed));
    await link.room;
  }
}

function textPrompt(text: string): PromptMessage {
  return {
    type: "user",
    session_id: "",
    message: { role: "user", content: [{ type: "text", text }] },
    parent_tool_use_id: null,
  };
}

/** A prompt goes out as its author wrote it, also with fields that are newer than we are. */
function toWire(message: SDKUserMessage, composed: object): HostMessage {
  return { ...message, ...composed } as unknown as HostMessage;
}
