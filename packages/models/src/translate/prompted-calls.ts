import { isJsonObject } from "@agentwire/protocol";
import type { ApiEvent, ContentBlock } from "@agentwire/protocol/messages";
import { parseJson } from "@agentwire/protocol/support";
import { textAt } from "../json.ts";
import { toolId } from "./ids.ts";
import { JsonMender } from "./mend-json.ts";
import { CALL } from "./prompted-tools.ts";

/** Converts calls that a model wrote as text, as instructed, to tool calls. */
export async function* promptedCalls(
  events: AsyncIterable<ApiEvent>,
  usedIds: ReadonlySet<string>,
): AsyncGenerator<ApiEvent> {
  const calls = new PromptedCalls(usedIds);
  for await (const event of events) yield* calls.push(event);
}

const FENCE = "```";
const OPENING = new RegExp(`^${FENCE} *${CALL}\\s*$`);

/** Reads a reply's text line by line; fences on separate lines start and end a call. */
class PromptedCalls {
  readonly #usedIds: Set<string>;
  #events: ApiEvent[] = [];
  #index = -1;
  /** Whether the provider is sending text, which may contain a call. */
  #isReading = false;
  /** Whether the block being written is text. */
  #isInText = false;
  #hasCalled = false;
  /** The start of a line that may become a fence, or of a line in a call. */
  #line = "";
  /** Whether nothing of the line has been written yet. */
  #isLineStart = true;
  /** Whitespace that is written only if text follows. */
  #space = "";
  /** The content so far of the call being read. */
  #call: string | undefined;

  constructor(usedIds: ReadonlySet<string>) {
    this.#usedIds = new Set(usedIds);
  }

  push(event: ApiEvent): ApiEvent[] {
    switch (event.type) {
      case "content_block_start":
        // A text block starts with its first text.
        if (event.content_block.type === "text") break;
        this.#endText(false);
        this.#events.push({ ...event, index: ++this.#index });
        break;
      case "content_block_delta":
        if (event.delta.type === "text_delta") this.#take(event.delta.text);
        else this.#events.push({ ...event, index: this.#index });
        break;
      case "content_block_stop":
        // A text block ends when something follows it.
        if (!this.#isReading) this.#events.push({ ...event, index: this.#index });
        break;
      case "message_delta": {
        const { stop_reason } = event.delta;
        this.#endText(stop_reason === "max_tokens");
        const delta = { ...event.delta, stop_reason: "tool_use" } as const;
        this.#events.push(this.#hasCalled && stop_reason === "end_turn" ? { ...event, delta } : event);
        break;
      }
      default:
        this.#events.push(event);
    }
    const taken = this.#events;
    this.#events = [];
    return taken;
  }

  #take(text: string): void {
    this.#isReading = true;
    const lines = (this.#line + text).split("\n");
    const rest = lines.pop() ?? "";
    for (const line of lines) this.#takeLine(line);
    const isHeld = this.#call !== undefined || (this.#isLineStart && mayOpen(rest));
    this.#line = isHeld ? rest : "";
    if (isHeld || rest === "") return;
    this.#write(rest);
    this.#isLineStart = false;
  }

  #takeLine(line: string): void {
    const opens = this.#isLineStart && OPENING.test(line);
    this.#isLineStart = true;
    if (this.#call !== undefined) {
      const isEnd = line.trimEnd().endsWith(FENCE);
      this.#call += isEnd ? line.trimEnd().slice(0, -FENCE.length) : `${line}\n`;
      if (isEnd) this.#endCall();
    } else if (opens) this.#call = "";
    else this.#write(`${line}\n`);
  }

  #write(text: string): void {
    const whole = this.#space + text;
    const said = whole.trimEnd();
    if (said === "" && this.#hasCalled && !this.#isInText) return;
    this.#space = whole.slice(said.length);
    if (said === "") return;
    if (!this.#isInText) {
      this.#isInText = true;
      this.#start({ type: "text", text: "" });
    }
    this.#add({ type: "text_delta", text: said });
  }

  /** Ends the text; a call that was cut off by a limit stays text, because half of a file may be missing. */
  #endText(isCutOff: boolean): void {
    if (this.#call !== undefined) {
      this.#takeLine(this.#line);
      if (this.#call !== undefined && isCutOff) this.#write(`${FENCE}${CALL}\n${this.#call}`);
      else if (this.#call !== undefined) this.#endCall();
      this.#call = undefined;
    } else if (this.#line !== "") this.#write(this.#line);
    if (this.#isInText && this.#space !== "") this.#add({ type: "text_delta", text: this.#space });
    this.#closeText();
    this.#line = this.#space = "";
    this.#isLineStart = true;
    this.#isReading = false;
  }

  #endCall(): void {
    const said = this.#call ?? "";
    this.#call = undefined;
    const call = readCall(said);
    if (!call) {
      this.#write(`${FENCE}${CALL}\n${said}${FENCE}\n`);
      return;
    }
    this.#closeText();
    this.#space = "";
    this.#hasCalled = true;
    const id = toolId(undefined, this.#usedIds);
    this.#usedIds.add(id);
    this.#start({ type: "tool_use", id, name: call.name, input: {} });
    this.#add({ type: "input_json_delta", partial_json: call.input });
    this.#stop();
  }

  #closeText(): void {
    if (this.#isInText) this.#stop();
    this.#isInText = false;
  }

  #start(content_block: ContentBlock): void {
    this.#events.push({ type: "content_block_start", index: ++this.#index, content_block });
  }

  #add(delta: Extract<ApiEvent, { type: "content_block_delta" }>["delta"]): void {
    this.#events.push({ type: "content_block_delta", index: this.#index, delta });
  }

  #stop(): void {
    this.#events.push({ type: "content_block_stop", index: this.#index });
  }
}

/** Whether an unfinished line may still open a call. */
function mayOpen(line: string): boolean {
  const [, ticks, word = ""] = /^(`{0,3}) *(\w*)\s*$/.exec(line) ?? [];
  return ticks !== undefined && (word === "" || (ticks === FENCE && CALL.startsWith(word)));
}

/** The tool and its input as JSON; input that can't be repaired is passed on unchanged, so that the model gets an error. */
function readCall(said: string): { readonly name: string; readonly input: string } | undefined {
  const mender = new JsonMender();
  const value = parseJson(mender.push(said.trim()) + mender.end());
  const name = textAt(value, "name") ?? /"name"\s*:\s*"([^"\\]+)"/.exec(said)?.[1];
  if (name === undefined) return undefined;
  if (!isJsonObject(value)) return { name, input: said };
  const { arguments: given = value.input ?? value.parameters ?? {} } = value;
  return { name, input: typeof given === "string" ? given : JSON.stringify(given) };
}
