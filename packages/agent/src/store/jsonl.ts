import { projectFolder, sessionFile, subagentFile } from "@agentwire/local/transcript";
import type { JsonObject } from "@agentwire/protocol";
import { AppendFile } from "./append-file.ts";
import { type LineFacts, Lines } from "./lines.ts";
import { MirrorBatch } from "./mirror.ts";
import type { TranscriptRequest } from "./store.ts";
import { storeSubagentInfo } from "./subagent-info.ts";
import type { Transcript, TranscriptMessage } from "./transcript.ts";

/** What a transcript needs to know about its session. */
export interface TranscriptOptions extends LineFacts, TranscriptRequest {
  readonly configDir: string;
  /** The project folder of the session, if it differs from that of `cwd`. */
  readonly folder?: string | undefined;
  /** If false, nothing is stored. */
  readonly persist: boolean;
}

/** Starts or continues a session file, which is created with its first line. */
export function openTranscript(options: TranscriptOptions): Transcript {
  return options.persist ? new JsonlTranscript(options) : unstored(options.sessionId);
}

class JsonlTranscript implements Transcript {
  readonly sessionId: string;
  readonly path: string;
  readonly #lines: Lines;
  readonly #file: AppendFile;
  readonly #mirror: MirrorBatch | undefined;
  readonly #info: Promise<void> | undefined;

  constructor(options: TranscriptOptions) {
    const { configDir, cwd, sessionId, subagent, mirror } = options;
    this.sessionId = sessionId;
    const folder = options.folder ?? projectFolder(configDir, cwd);
    this.path = subagent ? subagentFile(folder, sessionId, subagent.agentId) : sessionFile(folder, sessionId);
    this.#lines = new Lines(options);
    this.#mirror = mirror && new MirrorBatch(this.path, mirror);
    this.#file = new AppendFile(this.path, {
      onLost: options.onLost,
      onWritten: (entries) => this.#mirror?.add(entries),
    });
    if (subagent) {
      // If this fails, writing the lines fails too, and that is reported.
      this.#info = storeSubagentInfo(this.path, subagent).catch(() => {});
      this.#mirror?.add([{ type: "agent_metadata", ...subagent }]);
    }
  }

  append(message: TranscriptMessage): void {
    this.#file.append(this.#lines.message(message));
  }

  note(entry: JsonObject): void {
    this.#file.append(this.#lines.note(entry));
  }

  async flush(): Promise<void> {
    await Promise.all([this.#file.flush(), this.#info]);
    this.#mirror?.send();
  }
}

/** A transcript that stores nothing. */
export function unstored(sessionId: string): Transcript {
  return { sessionId, path: undefined, append() {}, note() {}, async flush() {} };
}
