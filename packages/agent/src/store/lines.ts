import type { JsonObject } from "@agentwire/protocol";
import type { SubagentInfo } from "./subagent-info.ts";
import type { TranscriptMessage } from "./transcript.ts";

/** The origin recorded in the lines of a transcript. */
export interface LineFacts {
  readonly cwd: string;
  readonly sessionId: string;
  /** The version of the wire, as other readers expect it. */
  readonly version: string;
  readonly gitBranch?: string;
  /** The program that started the agent, as named in its environment. */
  readonly entrypoint?: string;
  /** The parent of the next line. */
  readonly lastUuid?: string;
  readonly subagent?: SubagentInfo;
}

/** Creates the lines of one transcript, each linked to the previous one. */
export class Lines {
  readonly #envelope: JsonObject;
  readonly #sessionId: string;
  #lastUuid: string | undefined;

  constructor({ cwd, sessionId, version, subagent, entrypoint, gitBranch, lastUuid }: LineFacts) {
    this.#sessionId = sessionId;
    this.#lastUuid = lastUuid;
    this.#envelope = {
      isSidechain: subagent !== undefined,
      ...(subagent && { agentId: subagent.agentId }),
      userType: "external",
      cwd,
      sessionId,
      version,
      ...(entrypoint !== undefined && { entrypoint }),
      ...(gitBranch !== undefined && { gitBranch }),
    };
  }

  /** The line of a message. */
  message({ uuid, type, message, timestamp, extra }: TranscriptMessage): JsonObject {
    const parentUuid = this.#lastUuid ?? null;
    this.#lastUuid = uuid;
    // The official SDK reads cwd and timestamp from their first occurrence in the text, so they come before the message.
    return { parentUuid, ...this.#envelope, type, uuid, timestamp, message, ...extra };
  }

  /** Any other line: a title, a compaction boundary. */
  note(entry: JsonObject): JsonObject {
    if (typeof entry.uuid !== "string") return { ...entry, sessionId: this.#sessionId };
    // The entry's own keys come first: boundaries in large files are found by the beginning of their line.
    const line = { ...entry, ...linked(entry, this.#lastUuid), ...this.#envelope };
    this.#lastUuid = entry.uuid;
    return line;
  }
}

/** An entry that names its parent keeps it: a boundary starts a new chain, a copied line keeps its old parent. */
function linked(entry: JsonObject, lastUuid: string | undefined): JsonObject {
  return Object.hasOwn(entry, "parentUuid") ? {} : { parentUuid: lastUuid ?? null };
}
