import type { JsonObject } from "@agentwire/protocol";
import type { SubagentInfo } from "./subagent-info.ts";
import type { TranscriptMessage } from "./transcript.ts";

/** What the lines of a transcript say of where they come from. */
export interface LineFacts {
  readonly cwd: string;
  readonly sessionId: string;
  /** The level of the wire, as other readers expect it. */
  readonly version: string;
  readonly gitBranch?: string;
  /** Who started the agent, as its environment says. */
  readonly entrypoint?: string;
  /** The line that the next one follows. */
  readonly lastUuid?: string;
  readonly subagent?: SubagentInfo;
}

/** Makes the lines of one transcript, each linked to the one before it. */
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
    // The official SDK finds cwd and timestamp by their first occurrence in the text, so they stand before the message.
    return { parentUuid, ...this.#envelope, type, uuid, timestamp, message, ...extra };
  }

  /** The line of anything else: a title, a summary boundary. */
  note(entry: JsonObject): JsonObject {
    if (typeof entry.uuid !== "string") return { ...entry, sessionId: this.#sessionId };
    // Its own keys come first: large files are searched for boundaries by how their lines begin.
    const line = { ...entry, ...linked(entry, this.#lastUuid), ...this.#envelope };
    this.#lastUuid = entry.uuid;
    return line;
  }
}

/** A line with a parent of its own keeps it: a boundary starts a new chain, a copied line has its old parent. */
function linked(entry: JsonObject, lastUuid: string | undefined): JsonObject {
  return Object.hasOwn(entry, "parentUuid") ? {} : { parentUuid: lastUuid ?? null };
}
