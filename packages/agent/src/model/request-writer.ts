import { firstMarked, type RequestDefaults, spellMessage, toRequest } from "./anthropic-request.ts";
import type { ModelCall, ModelMessage } from "./model.ts";

/** Writes the body of a request. */
export type RequestWriter = (call: ModelCall, defaults?: RequestDefaults) => Buffer;

const OPENING = Buffer.from('{"messages":[');
const NOTHING = Buffer.alloc(0);

/** Makes a writer for a conversation that grows: what the last request began with is not spelled again in the next. */
export function createRequestWriter(): RequestWriter {
  let known: readonly ModelMessage[] = [];
  let bytes = NOTHING;
  return (call, defaults) => {
    const settled = call.messages.slice(0, firstMarked(call.messages));
    if (!startsWith(settled, known)) {
      known = [];
      bytes = NOTHING;
    }
    const added = settled.slice(known.length).map((message) => `${JSON.stringify(spellMessage(message))},`);
    bytes = Buffer.concat([bytes, Buffer.from(added.join(""))]);
    known = settled;
    const { messages, ...rest } = toRequest(
      { ...call, messages: call.messages.slice(settled.length) },
      defaults,
    );
    const ending = `${JSON.stringify(messages).slice(1)},${JSON.stringify(rest).slice(1)}`;
    return Buffer.concat([OPENING, bytes, Buffer.from(ending)]);
  };
}

/** The messages are never changed, so the same ones spell the same. */
function startsWith(messages: readonly ModelMessage[], start: readonly ModelMessage[]): boolean {
  if (start.length > messages.length) return false;
  for (let i = 0; i < start.length; i++) if (messages[i] !== start[i]) return false;
  return true;
}
