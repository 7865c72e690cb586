import type { IncomingHttpHeaders } from "node:http";
import type { CallKind } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { listAt, textAt } from "../json-path.ts";

/** A request as it arrived. */
export interface ApiRequest {
  readonly kind: CallKind;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, converted to the Messages API. */
  readonly body: JsonObject;
  /** The body as sent. */
  readonly sent: JsonObject;
}

/** The requests of an agent to the API; `turn` is the index of a request of its loop, from the end if negative. */
export class RequestLog {
  readonly all: ApiRequest[] = [];

  /** The requests of the agent's loop. */
  get turns(): readonly ApiRequest[] {
    return this.all.filter(({ kind }) => kind === "turn");
  }

  /** Whether the messages of a request contain this text or piece of JSON. */
  sent(turn: number, text: string): boolean {
    return JSON.stringify(this.messages(turn)).includes(text);
  }

  /** The messages of a request. */
  messages(turn: number): readonly unknown[] {
    return listAt(this.turns.at(turn)?.body, "messages");
  }

  /** The system prompt of a request, its blocks joined by newlines. */
  systemPrompt(turn: number): string {
    const body = this.turns.at(turn)?.body;
    const blocks = listAt(body, "system").map((block) => textAt(block, "text") ?? "");
    return textAt(body, "system") ?? blocks.join("\n");
  }

  /** The model of each request of the loop. */
  models(): readonly (string | undefined)[] {
    return this.turns.map(({ body }) => textAt(body, "model"));
  }

  /** The names of the tools that a request offers. */
  toolNames(turn: number): readonly (string | undefined)[] {
    return listAt(this.turns.at(turn)?.body, "tools").map((tool) => textAt(tool, "name"));
  }
}
