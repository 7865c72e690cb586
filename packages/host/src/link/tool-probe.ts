import { supports, type Version } from "@agentwire/protocol/compatibility";
import type { Deadlines } from "../deadlines.ts";
import { HostError } from "../errors.ts";
import type { Launch, RequestOptions } from "./link.ts";
import type { OpenWork } from "./open-work.ts";
import { Watchdog } from "./watchdog.ts";

/** A request that an agent answers at once, whatever its tools do, and that changes nothing. */
type ProbeSubtype = "get_binary_version" | "mcp_status";

/** Asks an agent and resolves with its answer; rejects with a `HostError`. */
export type Probe = (deadlineMs: number) => Promise<unknown>;

/**
 * How to ask an agent whether it is there. Undefined where no request is known that it answers: one that does not know a request may
 * never answer, and must not be ended for that.
 */
export function probeFor(
  { version, dialect = "claude" }: Pick<Launch, "version" | "dialect">,
  request: (subtype: ProbeSubtype, options: RequestOptions) => Promise<unknown>,
): Probe | undefined {
  const subtype = dialect.startsWith("claude") ? subtypeFor(version) : undefined;
  return subtype && ((deadlineMs) => request(subtype, { deadlineMs, holdsInput: false }));
}

function subtypeFor(version: Version | undefined): ProbeSubtype | undefined {
  if (!version) return undefined;
  if (supports(version, undefined, "unknown_subtype_answers")) return "get_binary_version";
  return supports(version, undefined, "control_requests") ? "mcp_status" : undefined;
}

/** An answer may be there and not read yet when its time is over, as after a pause of the whole machine: it is asked again. */
const TRIES = 2;

/** While a tool runs an agent may be silent for hours; whether it is frozen tells an answer that it would give at once. */
export class ToolProbe {
  readonly #watchdog: Watchdog<"quiet">;
  readonly #ask: Probe;
  readonly #deadlineMs: number;
  readonly #work: () => OpenWork;
  readonly #onFrozen: () => void;
  #isAsking = false;
  #hasHeard = false;

  constructor(work: () => OpenWork, { silenceMs, requestMs }: Deadlines, ask: Probe, onFrozen: () => void) {
    this.#work = work;
    this.#ask = ask;
    this.#deadlineMs = Math.min(silenceMs, requestMs);
    this.#onFrozen = onFrozen;
    const patience = () => (work().isToolsTurn ? ({ ms: silenceMs, meaning: "quiet" } as const) : undefined);
    this.#watchdog = new Watchdog(patience, () => void this.#look());
  }

  /** Whether the next answer may be one to its question. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** The agent has said something. */
  heard(): void {
    this.#hasHeard = true;
    this.#watchdog.heard();
  }

  /** The open work has changed. */
  changed(): void {
    this.#watchdog.changed();
  }

  /** What seemed frozen was not. */
  again(): void {
    this.#watchdog.again();
  }

  stop(): void {
    this.#watchdog.stop();
  }

  async #look(): Promise<void> {
    this.#isAsking = true;
    this.#hasHeard = false;
    const isThere = await this.#answers();
    this.#isAsking = false;
    // Whatever it was busy with, it has said something, or its tool has ended.
    if (isThere || this.#hasHeard || !this.#work().isToolsTurn) this.#watchdog.again();
    else this.#onFrozen();
  }

  async #answers(): Promise<boolean> {
    for (let i = 0; i < TRIES && !this.#hasHeard; i++)
      try {
        await this.#ask(this.#deadlineMs);
        return true;
      } catch (error) {
        // A refusal is an answer, and one that has gone is no longer our concern.
        if (!(error instanceof HostError && error.code === "request_timeout")) return true;
      }
    return false;
  }
}
