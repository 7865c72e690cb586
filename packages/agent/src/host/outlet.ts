import { randomUUID } from "node:crypto";
import type { AgentMessage } from "@agentwire/protocol";
import type { Config } from "../config/config.ts";
import type { HostLink } from "./host-link.ts";

/** A message before the session has added its id and a uuid. */
export type Notice = AgentMessage extends infer M
  ? M extends unknown
    ? Omit<M, "uuid" | "session_id"> & { uuid?: string }
    : never
  : never;

/** Sends the messages of a session, each with the session's id and a uuid. */
export class Outlet {
  readonly #host: HostLink;
  readonly #stateEvents: Config["stateEvents"];
  /** Changes when a new conversation starts. */
  sessionId: string;
  /** The id of the prompt being answered, for hooks; kept until the next prompt. */
  promptId: string | undefined;

  constructor(host: HostLink, stateEvents: Config["stateEvents"], sessionId: string) {
    this.#host = host;
    this.#stateEvents = stateEvents;
    this.sessionId = sessionId;
  }

  /** Adds the ids to a notice and sends it. Modifies the notice: copying each stream event would cost a sixth of the throughput. */
  readonly tell = (notice: Notice): void => {
    const message = notice as { session_id?: string; uuid?: string };
    message.session_id = this.sessionId;
    message.uuid ??= randomUUID();
    this.#host.send(message as AgentMessage);
  };

  /** A promise to wait for while the host reads more slowly than we send. */
  get room(): Promise<void> | undefined {
    return this.#host.room;
  }

  /** Reports the state of the session, if the host wants that. */
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
