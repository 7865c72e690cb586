import type { JsonObject } from "@agentwire/protocol";
import { AppendFile } from "./append-file.ts";
import { type Mirror, MirrorBatch } from "./mirror.ts";
import { sessionFile, subagentFile } from "./project-key.ts";
import { type SubagentInfo, storeSubagentInfo } from "./subagent-info.ts";
import type { Transcript, TranscriptMessage } from "./transcript.ts";

/** What a transcript needs to know of its session. */
export interface TranscriptOptions {
  readonly configDir: string;
  readonly cwd: string;
  readonly sessionId: string;
  /** False keeps nothing: every call does nothing. */
  readonly persist: boolean;
  /** The level of the wire, as other readers of the file expect it. */
  readonly version: string;
  readonly gitBranch?: string;
  /** Who started the agent, as its environment says. */
  readonly entrypoint?: string;
  /** The line that the next one follows: of a resumed session. */
  readonly lastUuid?: string;
  /** Makes it the transcript of a subagent of the session. */
  readonly subagent?: SubagentInfo;
  readonly mirror?: Mirror;
  /** Told once, with the error's code, when lines cannot be written. */
  onLost(code: string): void;
}

/** Begins or continues a session file, which is created with its first line. */
export function openTranscript(options: TranscriptOptions): Transcript {
  return options.persist ? new JsonlTranscript(options) : unstored(options.sessionId);
}

class JsonlTranscript implements Transcript {
  readonly sessionId: string;
  readonly path: string;
  /** The keys that every line of the conversation has. */
  readonly #envelope: JsonObject;
  readonly #file: AppendFile;
  readonly #mirror: MirrorBatch | undefined;
  readonly #info: Promise<void> | undefined;
  #lastUuid: string | undefined;

  constructor(options: TranscriptOptions) {
    const { configDir, cwd, sessionId, subagent, mirror } = options;
    this.sessionId = sessionId;
    this.path = subagent
      ? subagentFile(configDir, cwd, sessionId, subagent.agentId)
      : sessionFile(configDir, cwd, sessionId);
    this.#envelope = {
      isSidechain: subagent !== undefined,
      ...(subagent && { agentId: subagent.agentId }),
      userType: "external",
      cwd,
      sessionId,
      version: options.version,
      ...(options.entrypoint !== undefined && { entrypoint: options.entrypoint }),
      ...(options.gitBranch !== undefined && { gitBranch: options.gitBranch }),
    };
    this.#lastUuid = options.lastUuid;
    this.#mirror = mirror && new MirrorBatch(this.path, mirror);
    this.#file = new AppendFile(this.path, {
      onLost: options.onLost,
      onWritten: (entries) => this.#mirror?.add(entries),
    });
    if (subagent) {
      // Where this cannot be written the lines cannot either, and they tell.
      this.#info = storeSubagentInfo(this.path, subagent).catch(() => {});
      this.#mirror?.add([{ type: "agent_metadata", ...subagent }]);
    }
  }

  append({ uuid, type, message, timestamp, extra }: TranscriptMessage): void {
    // The official SDK finds cwd and timestamp by their first occurrence in the text, so they stand before the message.
    this.#file.append({
      parentUuid: this.#lastUuid ?? null,
      ...this.#envelope,
      type,
      uuid,
      timestamp,
      message,
      ...extra,
    });
    this.#lastUuid = uuid;
  }

  note(entry: JsonObject): void {
    if (typeof entry.uuid !== "string") {
      this.#file.append({ ...entry, sessionId: this.sessionId });
      return;
    }
    // Its own keys come first: large files are searched for boundaries by how their lines begin.
    this.#file.append({ ...entry, ...linked(entry, this.#lastUuid), ...this.#envelope });
    this.#lastUuid = entry.uuid;
  }

  async flush(): Promise<void> {
    await Promise.all([this.#file.flush(), this.#info]);
    this.#mirror?.send();
  }
}

/** A line that says itself what it follows keeps that: a boundary begins anew, a copied line has its old place. */
function linked(entry: JsonObject, lastUuid: string | undefined): JsonObject {
  return Object.hasOwn(entry, "parentUuid") ? {} : { parentUuid: lastUuid ?? null };
}

function unstored(sessionId: string): Transcript {
  return { sessionId, path: undefined, append() {}, note() {}, async flush() {} };
}
