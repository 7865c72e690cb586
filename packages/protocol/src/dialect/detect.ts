import { isJsonObject, type JsonObject } from "../json.ts";
import type { Sink } from "../lines/decode.ts";
import type { Malformed } from "../lines/malformed.ts";
import type { AgentMessage, HostMessage } from "../message.ts";
import { dialectOfHostLine } from "./choose.ts";
import { claude } from "./claude.ts";
import type { Dialect, Translation } from "./dialect.ts";

/**
 * For an agent that was not told its host's dialect: the official wire until a line shows another one, which
 * `onKnown` receives before the line is read. Nothing is delayed for this, so a host of the official wire
 * gets its answers just as fast.
 */
export const detecting = (onKnown: (dialect: Dialect) => void): Pick<Dialect, "forAgent"> => ({
  forAgent: () => new DetectingAgent(onKnown),
});

class DetectingAgent implements Translation<HostMessage, AgentMessage> {
  #translation: Translation<HostMessage, AgentMessage> = claude.forAgent();
  #decided = false;
  /**
   * Requests that did not show a dialect: they are answered in the spelling they were read in, whatever a
   * later line shows.
   */
  readonly #shared = new Set<unknown>();
  readonly #onKnown: (dialect: Dialect) => void;

  constructor(onKnown: (dialect: Dialect) => void) {
    this.#onKnown = onKnown;
  }

  decode(value: JsonObject, sink: Sink<HostMessage>): void {
    if (!this.#decided) this.#listen(value);
    this.#translation.decode(value, sink);
  }

  decodeList(values: readonly unknown[], sink: Sink<HostMessage>): boolean {
    const request = values.find((value) => isJsonObject(value) && "jsonrpc" in value);
    if (!this.#decided && isJsonObject(request)) this.#listen(request);
    return this.#translation.decodeList?.(values, sink) ?? false;
  }

  encode(message: AgentMessage, sink: Sink<HostMessage>): readonly unknown[] {
    if (message.type === "control_response" && this.#shared.delete(message.response.request_id))
      return [message];
    return this.#translation.encode(message, sink);
  }

  refuse(fault: Malformed): readonly unknown[] {
    return this.#translation.refuse?.(fault) ?? [];
  }

  #listen(value: JsonObject): void {
    const told = dialectOfHostLine(value);
    // A prompt that shows no dialect is answered in the official spelling, and the spelling can't change in
    // the middle of a turn.
    this.#decided = told !== undefined || value.type === "user";
    if (told) {
      this.#translation = told.forAgent();
      this.#onKnown(told);
    } else if (value.type === "control_request") this.#shared.add(value.request_id);
    else if (value.type === "control_cancel_request") this.#shared.delete(value.request_id);
  }
}
