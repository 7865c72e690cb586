import type { JsonObject } from "@agentwire/protocol";
import type { Config } from "../config/config.ts";
import type { HostLink } from "../host/host-link.ts";
import type { Outlet } from "../host/outlet.ts";
import type { Store } from "./store.ts";
import type { SubagentInfo } from "./subagent-info.ts";
import type { Transcript, Unstamped } from "./transcript.ts";

/** The stored records of a session: its own transcript and those of its subagents. */
export class Records {
  readonly #store: Store;
  readonly #config: Config;
  readonly #host: HostLink;
  readonly #outlet: Outlet;
  #subagents = new Map<string, Transcript>();
  #main: Transcript;
  #lastUuid: string | undefined;

  /** `lastUuid` is the last line of an earlier process of the session. */
  constructor(store: Store, config: Config, host: HostLink, outlet: Outlet, lastUuid: string | undefined) {
    this.#store = store;
    this.#config = config;
    this.#host = host;
    this.#outlet = outlet;
    this.#lastUuid = lastUuid;
    this.#main = this.#open();
  }

  /** The file of the session itself; undefined without persistence. */
  get path(): string | undefined {
    return this.#main.path;
  }

  /** The session's own transcript, for copying whole histories into it. */
  get main(): Transcript {
    return this.#main;
  }

  /** The last message of the session itself. */
  get lastUuid(): string | undefined {
    return this.#lastUuid;
  }

  add(message: Unstamped): void {
    this.#lastUuid = message.uuid;
    this.#main.append(stamped(message));
  }

  /** Adds a line that is not a message. */
  note(entry: JsonObject): void {
    this.#main.note(entry);
  }

  /** Sets the title of the session. */
  rename(title: string): void {
    this.note({ type: "custom-title", customTitle: title, sessionId: this.#outlet.sessionId });
  }

  /** The transcript of a subagent, created on first use. */
  ofSubagent(info: SubagentInfo): { readonly path: string | undefined; add(message: Unstamped): void } {
    const transcript = this.#subagents.get(info.agentId) ?? this.#open(info);
    this.#subagents.set(info.agentId, transcript);
    return { path: transcript.path, add: (message) => transcript.append(stamped(message)) };
  }

  /** Starts an empty conversation under the id that the store assigns. */
  begin(): void {
    this.#outlet.sessionId = this.#store.renew(this.#outlet.sessionId);
    this.#lastUuid = undefined;
    this.#subagents = new Map();
    this.#main = this.#open();
  }

  /** Resolves when everything is on disk. */
  async flush(): Promise<void> {
    await Promise.all([this.#main, ...this.#subagents.values()].map((transcript) => transcript.flush()));
  }

  #open(subagent?: SubagentInfo): Transcript {
    const lastUuid = subagent ? undefined : this.#lastUuid;
    return this.#store.transcript({
      sessionId: this.#outlet.sessionId,
      ...(lastUuid !== undefined && { lastUuid }),
      ...(subagent && { subagent }),
      ...(this.#config.mirrors && {
        mirror: (filePath: string, entries: readonly JsonObject[]) =>
          this.#host.send({ type: "transcript_mirror", filePath, entries: [...entries] }),
      }),
      onLost: (error_code) =>
        this.#outlet.tell({
          type: "system",
          subtype: "session_writes_lost",
          error_code,
          lost: ["transcript"],
        }),
    });
  }
}

const stamped = (message: Unstamped) => ({ ...message, timestamp: new Date().toISOString() });
