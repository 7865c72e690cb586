import { type HostMessage, isJsonObject } from "@agentwire/protocol";
import type { PromptMessage } from "@agentwire/protocol/messages";
import { HostError } from "../errors.ts";
import type { Link } from "../link/link.ts";
import type { SDKUserMessage } from "../sdk/conversation-messages.ts";
import type { Prompt } from "../sdk/query.ts";

/** What `for await` accepts; the official type declares only the first. */
type Stream = AsyncIterable<SDKUserMessage> | Iterable<SDKUserMessage>;

/** Sends prompts as they come until there are no more, or the agent is gone. */
export async function sendPrompts(link: Link, prompt: Prompt, verbatim: boolean): Promise<void> {
  const composed = verbatim ? { client_composed: true } : {};
  if (typeof prompt === "string") {
    link.send({ ...textPrompt(prompt), ...composed });
    return;
  }
  for await (const message of whileThere(link, prompt)) {
    link.send(toWire(message, composed));
    await link.room;
  }
}

/** Yields prompts while the agent runs; when it ends, the source may clean up but is not waited for. */
async function* whileThere(link: Link, stream: Stream): AsyncGenerator<SDKUserMessage, void, undefined> {
  const prompts = iteratorOf(stream);
  let isGone = false;
  let leave = () => {};
  void link.ended.then(() => {
    isGone = true;
    leave();
  });
  let isOver = false;
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<SDKUserMessage, unknown> | undefined>(
        (resolve, reject) => {
          leave = () => resolve(undefined);
          if (isGone) leave();
          else Promise.resolve(prompts.next()).then(resolve, reject);
        },
      );
      isOver = next?.done === true;
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    if (!isOver) void release(prompts);
  }
}

function iteratorOf(stream: Stream): AsyncIterator<SDKUserMessage> | Iterator<SDKUserMessage> {
  return Symbol.asyncIterator in stream ? stream[Symbol.asyncIterator]() : stream[Symbol.iterator]();
}

async function release(prompts: AsyncIterator<SDKUserMessage> | Iterator<SDKUserMessage>): Promise<void> {
  try {
    await prompts.return?.();
  } catch {
    // Nobody is left to receive the error.
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

/** A prompt is sent as its author wrote it, including fields that are newer than this host. */
function toWire(message: SDKUserMessage, composed: object): HostMessage {
  if (!isJsonObject(message))
    throw new HostError(
      "invalid_option",
      "a stream of prompts must yield messages: { type: 'user', message: … }",
    );
  return { ...message, ...composed } as unknown as HostMessage;
}
