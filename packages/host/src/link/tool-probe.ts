import { supports, type Version } from "@agentwire/protocol/compatibility";
import type { Deadlines } from "../deadlines.ts";
import { HostError } from "../errors.ts";
import type { Launch, RequestOptions } from "./link.ts";
import type { OpenWork } from "./open-work.ts";
import { Watchdog } from "./watchdog.ts";

/** A request that an agent answers at once, even while a tool runs, and that changes nothing. */
type ProbeSubtype = "get_binary_version" | "mcp_status";

/** Sends an agent the probe request and resolves with its answer; rejects with a `HostError`. */
export type Probe = (deadlineMs: number) => Promise<unknown>;

/**
 * How to check whether an agent still responds. Undefined if no request is known that it answers: an agent may never answer a request
 * that it does not know, and must not be ended for that.
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

/** When the deadline passes, an answer may have arrived unread, as after the whole machine was paused: the agent is asked again. */
const TRIES = 2;

/** While a tool runs, an agent may be silent for hours; a request that it would answer at once shows whether it is frozen. */
export class ToolProbe {
  readonly #watchdog: Watchdog<"quiet">;
  readonly #ask: Probe;
  readonly #deadlineMs: number;
  readonly #work: () => OpenWork;
  readonly #onFrozen: () => void;
  #isAsking = false;
  #hasReceived = false;

  constructor(work: () => OpenWork, { silenceMs, requestMs }: Deadlines, ask: Probe, onFrozen: () => void) {
    this.#work = work;
    this.#ask = ask;
    this.#deadlineMs = Math.min(silenceMs, requestMs);
    this.#onFrozen = onFrozen;
    const patience = () => (work().isToolsTurn ? ({ ms: silenceMs, meaning: "quiet" } as const) : undefined);
    this.#watchdog = new Watchdog(patience, () => void this.#check());
  }

  /** Whether the next answer may be one to the probe. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Records that the agent has sent something. */
  received(): void {
    this.#hasReceived = true;
    this.#watchdog.received();
  }

  changed(): void {
    this.#watchdog.changed();
  }

  /** Starts over, for an agent that turned out not to be frozen. */
  restart(): void {
    this.#watchdog.restart();
  }

  stop(): void {
    this.#watchdog.stop();
  }

  async #check(): Promise<void> {
    this.#isAsking = true;
    this.#hasReceived = false;
    const isThere = await this.#answers();
    this.#isAsking = false;
    // Whatever kept it busy, it has sent something since, or its tool has ended.
    if (isThere || this.#hasReceived || !this.#work().isToolsTurn) this.#watchdog.restart();
    else this.#onFrozen();
  }

  async #answers(): Promise<boolean> {
    for (let i = 0; i < TRIES && !this.#hasReceived; i++)
      try {
        await this.#ask(this.#deadlineMs);
        return true;
      } catch (error) {
        // An error answer is an answer too, and the end of an agent is handled elsewhere.
        if (!(error instanceof HostError && error.code === "request_timeout")) return true;
      }
    return false;
  }
}
