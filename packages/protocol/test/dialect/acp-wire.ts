import { acp } from "../../src/dialect/choose.ts";
import type { Translation } from "../../src/dialect/dialect.ts";
import { isJsonObject, type JsonObject } from "../../src/json.ts";
import type { Sink } from "../../src/lines/decode.ts";
import type { AgentMessage, HostMessage } from "../../src/message.ts";
import { SchemaCheck } from "./acp-schema.ts";

/** How the two ends of the protocol know each other. */
interface WireOptions {
  /** Strangers: neither end is told that the other is one of ours. */
  readonly strangers?: boolean;
}

/** A host and an agent of the protocol with a wire between them; every line is checked against the official schema. */
export class AcpWire {
  readonly check = new SchemaCheck();
  /** The messages that each end has received and not taken. */
  readonly atHost: AgentMessage[] = [];
  readonly atAgent: HostMessage[] = [];
  readonly lines: { readonly from: "host" | "agent"; readonly line: JsonObject }[] = [];
  readonly #host = acp.forHost();
  readonly #agent = acp.forAgent();
  readonly #strangers: boolean;
  readonly #faults: unknown[] = [];

  constructor({ strangers = false }: WireOptions = {}) {
    this.#strangers = strangers;
  }

  /** All faults on the wire. */
  get faults(): readonly unknown[] {
    return [...this.check.faults, ...this.#faults];
  }

  hostSays(message: HostMessage): void {
    for (const value of this.#host.encode(message, this.#sink("host"))) this.#pass("host", value);
  }

  agentSays(message: AgentMessage): void {
    for (const value of this.#agent.encode(message, this.#sink("agent"))) this.#pass("agent", value);
  }

  /** Takes the pending requests to the agent and answers them. */
  agentAnswers(answer: (request: JsonObject) => JsonObject | string): void {
    for (let message = this.atAgent.shift(); message; message = this.atAgent.shift()) {
      if (message.type !== "control_request") continue;
      const { request_id } = message;
      const said = answer(message.request);
      const response =
        typeof said === "string"
          ? { subtype: "error" as const, request_id, error: said }
          : { subtype: "success" as const, request_id, response: said };
      this.agentSays({ type: "control_response", response });
    }
  }

  /** Opens a session, as a host does. */
  open(session: JsonObject = { cwd: "/project", partial_messages: true }): void {
    this.hostSays({
      type: "control_request",
      request_id: "open",
      request: { subtype: "initialize", session },
    });
    this.agentAnswers(({ subtype }) => (subtype === "session_status" ? STATUS : {}));
  }

  #sink(end: "host" | "agent"): Sink<never> {
    return {
      message: (message: AgentMessage | HostMessage) => {
        if (end === "host") this.atHost.push(message as AgentMessage);
        else this.atAgent.push(message as HostMessage);
      },
      repaired: (type: string, repairs: unknown) => this.#faults.push([end, type, repairs]),
      malformed: (fault: unknown) => this.#faults.push([end, fault]),
      reply: (value: unknown) => this.#pass(end, value),
    } as Sink<never>;
  }

  #pass(from: "host" | "agent", value: unknown): void {
    const line: JsonObject = JSON.parse(JSON.stringify(value));
    this.check.line(from, line);
    this.lines.push({ from, line });
    const seen = this.#strangers ? withoutOurs(line) : line;
    const [end, to]: ["host" | "agent", Translation<never, never>] =
      from === "host" ? ["agent", this.#agent as never] : ["host", this.#host as never];
    to.decode(seen as JsonObject, this.#sink(end));
  }
}

const STATUS = {
  running: false,
  session_id: "s1",
  queued_messages: 0,
  init: { permissionMode: "default", model: "m1" },
};

/** The greeting of a program that is not ours. */
function withoutOurs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOurs);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "_meta");
  return Object.fromEntries(entries.map(([name, field]) => [name, withoutOurs(field)]));
}
