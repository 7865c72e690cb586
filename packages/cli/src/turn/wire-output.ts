import type { Event } from "@agentwire/api";
import type { Client } from "../talk/client.ts";

/** How `run` prints a turn: as readable text, as one result at the end, or as messages when they arrive. */
export const OUTPUT_FORMATS = ["text", "json", "stream-json"] as const;

const PAGE = 500;

/** Events for deltas, which do not correspond to a complete line. */
const PIECES: ReadonlySet<string | undefined> = new Set([
  "textDelta",
  "thinkingDelta",
  "toolInputDelta",
  "toolOutputDelta",
]);

/** Lines between agent and daemon that are not part of the conversation. */
const BESIDE = /^(?:control_|stream_event$|keep_alive$)/;

/** Prints a turn as the official messages that its agent wrote, with the session id that `--resume` accepts. */
export class WireOutput {
  readonly #client: Client;
  readonly #sessionId: string;
  readonly #isStream: boolean;
  readonly #write: (line: string) => void;
  #seq: bigint;
  #hasResult = false;
  #failure = "";

  constructor(
    client: Client,
    turn: { readonly sessionId: string; readonly afterSeq: bigint; readonly isStream: boolean },
    write: (line: string) => void,
  ) {
    this.#client = client;
    this.#sessionId = turn.sessionId;
    this.#seq = turn.afterSeq;
    this.#isStream = turn.isStream;
    this.#write = write;
  }

  /** Prints the lines that arrived with an event. */
  async handle({ body }: Event): Promise<void> {
    if (body.case === "error") this.#failure = body.value.message;
    if (body.case === "promptChange" && body.value.reason !== "") this.#failure ||= body.value.reason;
    if (PIECES.has(body.case) || (!this.#isStream && body.case !== "turnComplete")) return;
    for (let more = true; more; ) {
      const page = await this.#client.sessions.listRawLines({
        sessionId: this.#sessionId,
        fromSeq: this.#seq,
        pageSize: PAGE,
      });
      for (const { line } of page.lines) this.#print(line);
      this.#seq = page.lines.at(-1)?.seq ?? this.#seq;
      more = page.more;
    }
  }

  /** Prints an error result if the turn ended without one. */
  end(): void {
    if (this.#hasResult) return;
    const errors = [this.#failure || "the turn ended without a result"];
    this.#write(
      JSON.stringify({
        type: "result",
        subtype: "error_during_execution",
        is_error: true,
        errors,
        session_id: this.#sessionId,
      }),
    );
  }

  #print(line: string): void {
    const message = objectIn(line);
    if (!message || typeof message.type !== "string" || BESIDE.test(message.type)) return;
    const isResult = message.type === "result";
    this.#hasResult ||= isResult;
    if (isResult || this.#isStream) this.#write(JSON.stringify({ ...message, session_id: this.#sessionId }));
  }
}

function objectIn(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // The line was too long and was stored truncated.
    return undefined;
  }
}
