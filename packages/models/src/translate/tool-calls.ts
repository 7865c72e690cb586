import { isJsonObject } from "@agentwire/protocol";
import { parseJson } from "@agentwire/protocol/support";
import { countAt, objectAt, textAt } from "../json.ts";
import { toolId } from "./ids.ts";
import { JsonMender } from "./mend-json.ts";
import { sealState } from "./reasoning-state.ts";
import type { ReplyBlocks } from "./reply-blocks.ts";
import type { ReplyOptions } from "./reply-reader.ts";

/** A tool call received so far. */
interface PartialCall {
  readonly index: number;
  readonly givenId: string | undefined;
  name: string;
  /** The arguments as sent by the provider. */
  arguments: string;
  /** How many of its characters have been written. */
  written: number;
  extra: unknown;
  readonly mender: JsonMender;
}

/** Reads the tool calls of a stream and writes them one at a time as they arrive. */
export class ToolCalls {
  readonly #blocks: ReplyBlocks;
  readonly #options: ReplyOptions;
  readonly #usedIds: Set<string>;
  /** All calls of the reply in order; those before `#current` have been written. */
  readonly #calls: PartialCall[] = [];
  #current = 0;
  #hasBegun = false;

  constructor(blocks: ReplyBlocks, options: ReplyOptions) {
    this.#blocks = blocks;
    this.#options = options;
    this.#usedIds = new Set(options.usedIds);
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Takes a delta of a call. */
  push(delta: unknown): void {
    const call = this.#callOf(delta);
    const { arguments: given } = objectAt(delta, "function");
    call.name ||= textAt(objectAt(delta, "function"), "name") ?? "";
    call.arguments += typeof given === "string" ? given : isJsonObject(given) ? JSON.stringify(given) : "";
    call.extra ??= isJsonObject(delta) ? (delta.extra_content ?? undefined) : undefined;
    this.#write(false);
  }

  /** Writes the rest. Truncated arguments are not completed: a limit may have cut them off in the middle of a file. */
  end(isCutOff: boolean): void {
    while (this.#current < this.#calls.length) this.#finish(isCutOff);
  }

  /** The call that a delta belongs to; a new one if it has another id or starts after a complete call. */
  #callOf(delta: unknown): PartialCall {
    const id = textAt(delta, "id");
    const name = textAt(objectAt(delta, "function"), "name");
    const index = countAt(delta, "index");
    const known =
      index === undefined ? this.#calls.at(-1) : this.#calls.findLast((call) => call.index === index);
    if (known && !beginsAnother(known, id, name)) return known;
    const call: PartialCall = {
      index: index ?? this.#calls.length,
      givenId: id,
      name: "",
      arguments: "",
      written: 0,
      extra: undefined,
      mender: new JsonMender(),
    };
    this.#calls.push(call);
    return call;
  }

  /** Writes as much as possible; the next call starts when the previous one is complete. */
  #write(isEnd: boolean): void {
    for (let call = this.#calls[this.#current]; call; call = this.#calls[this.#current]) {
      if (call.name === "" && !isEnd) return;
      this.#begin(call);
      const more = call.arguments.slice(call.written);
      call.written = call.arguments.length;
      this.#blocks.writeInput(call.mender.push(more));
      if (this.#current === this.#calls.length - 1 || !isComplete(call.arguments)) return;
      this.#finish(false);
    }
  }

  #begin(call: PartialCall): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { names, from } = this.#options;
    if (call.extra !== undefined) this.#blocks.seal(sealState({ from, extra_content: call.extra }));
    const id = toolId(call.givenId, this.#usedIds);
    this.#usedIds.add(id);
    this.#blocks.beginTool(id, names.fromProvider(call.name));
  }

  #finish(isCutOff: boolean): void {
    const call = this.#calls[this.#current];
    if (!call) return;
    this.#begin(call);
    this.#blocks.writeInput(call.mender.push(call.arguments.slice(call.written)));
    call.written = call.arguments.length;
    if (!isCutOff) this.#blocks.writeInput(call.mender.end());
    this.#blocks.close();
    this.#current++;
    this.#hasBegun = false;
  }
}

function beginsAnother(known: PartialCall, id: string | undefined, name: string | undefined): boolean {
  if (id !== undefined && known.givenId !== undefined && id !== known.givenId)
    // Some servers give every delta a different id.
    return name !== undefined || isComplete(known.arguments);
  // Some send no ids, and start every call at the same index.
  return (
    name !== undefined &&
    (id === undefined || id !== known.givenId) &&
    isComplete(known.arguments) &&
    known.arguments !== ""
  );
}

/** Whether the arguments may be complete; a call without arguments has an empty text. */
const isComplete = (text: string) => text.trim() === "" || parseJson(text) !== undefined;
