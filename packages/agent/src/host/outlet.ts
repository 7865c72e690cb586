import { randomUUID } from "node:crypto";
import type { AgentMessage } from "@agentwire/protocol";
import type { Config } from "../config/config.ts";
import type { HostLink } from "./host-link.ts";

/** A message before the session has put its id and a uuid on it. */
export type Notice = AgentMessage extends infer M
  ? M extends unknown
    ? Omit<M, "uuid" | "session_id"> & { uuid?: string }
    : never
  : never;

/** Sends the messages of a session, each with the session's id and a uuid. */
export class Outlet {
  readonly #host: HostLink;
  readonly #stateEvents: Config["stateEvents"];
  /** Changes when a new conversation begins. */
  sessionId: string;
  /** Names the prompt that is being answered, for hooks; stays until the next one. */
  promptId: string | undefined;

  constructor(host: HostLink, stateEvents: Config["stateEvents"], sessionId: string) {
    this.#host = host;
    this.#stateEvents = stateEvents;
    this.sessionId = sessionId;
  }

  /** Takes a notice over, stamps it and sends it. In place: a copy of every stream event would cost a sixth of their rate. */
  readonly tell = (notice: Notice): void => {
    const message = notice as { session_id?: string; uuid?: string };
    message.session_id = this.sessionId;
    message.uuid ??= randomUUID();
    this.#host.send(message as AgentMessage);
  };

  /** A promise while the host reads more slowly than we tell. */
  get room(): Promise<void> | undefined {
    return this.#host.room;
  }

  /** Tells whether the session works, waits or rests, if the host wants to know. */
  state(state: "running" | "requires_action" | "idle"): void {
    if (this.#stateEvents === "none") return;
    this.tell({
      type: "system",
      subtype: "session_state_changed",
      state,
      ...(this.#stateEvents === "host_only" && { sdk_host_only: true }),
    });
  }
}
