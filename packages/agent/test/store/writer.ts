import { randomUUID } from "node:crypto";
import type { JsonObject } from "@agentwire/protocol";
import { openTranscript, type TranscriptOptions } from "../../src/store/jsonl.ts";
import { type LoadOptions, type LoadResult, loadSession } from "../../src/store/load.ts";
import type { LoadedSession, Transcript } from "../../src/store/transcript.ts";

/** Writes a session the way an agent does. */
export class Writer {
  readonly transcript: Transcript;
  readonly lost: string[] = [];

  constructor(folder: string, options: Partial<TranscriptOptions> = {}) {
    this.transcript = openTranscript({
      configDir: folder,
      cwd: folder,
      sessionId: randomUUID(),
      persist: true,
      version: "2.1.325",
      onLost: (code) => this.lost.push(code),
      ...options,
    });
  }

  user(content: unknown, extra?: JsonObject, uuid: string = randomUUID()): string {
    const message = { role: "user", content };
    this.transcript.append({
      uuid,
      type: "user",
      message,
      timestamp: new Date().toISOString(),
      ...(extra && { extra }),
    });
    return uuid;
  }

  reply(id: string, ...content: readonly JsonObject[]): string {
    const uuid = randomUUID();
    const message = {
      id,
      type: "message",
      role: "assistant",
      content,
      usage: { input_tokens: 100, output_tokens: 5 },
    };
    this.transcript.append({ uuid, type: "assistant", message, timestamp: new Date().toISOString() });
    return uuid;
  }

  result(id: string, content = "fine", isError = false): string {
    return this.user([{ type: "tool_result", tool_use_id: id, content, is_error: isError }]);
  }

  /** The session as a later process loads it. */
  async load(folder: string, options: Partial<LoadOptions> = {}): Promise<LoadResult> {
    await this.transcript.flush();
    return loadSession({ configDir: folder, cwd: folder, idOrTitle: this.transcript.sessionId, ...options });
  }
}

/** The session of a successful load. */
export function sessionIn(loading: LoadResult): LoadedSession {
  if ("refusal" in loading) throw new Error(loading.refusal);
  return loading.session;
}

/** Roles and contents, without values that differ between runs. */
export const said = (loading: LoadResult) =>
  sessionIn(loading).messages.map(({ role, content }) => ({ role, content }));

export const text = (value: string): JsonObject => ({ type: "text", text: value });

export const call = (id: string): JsonObject => ({ type: "tool_use", id, name: "Read", input: {} });
