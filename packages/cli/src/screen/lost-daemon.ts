import { setTimeout } from "node:timers/promises";
import { locationOf } from "../daemon/location.ts";
import { healthOf, launchUnlessThere } from "../daemon/reach.ts";
import { readRunFile } from "../daemon/run-file.ts";
import { unresponsiveProcess } from "../daemon/unresponsive-process.ts";
import type { Io } from "../io.ts";
import type { Client } from "../talk/client.ts";
import { remoteOf } from "../talk/remote.ts";
import { reasonOf } from "../talk/rpc-error.ts";

/** Longer than a service manager waits before it restarts a daemon of its own (`daemon/unit.ts`). */
const GRACE_MS = 3000;
const LOOK_MS = 1000;
/** How often to start a daemon that does not stay up for long. */
const MAX_STARTS = 3;
const STABLE_MS = 10 * 60_000;

const BY_HAND = "to start it again: agentwire daemon start";

/** Starts the daemon of this machine again after it has ended without being told to. */
export class LostDaemon {
  readonly #io: Io;
  readonly #client: Client;
  /** Receives what people should know about the daemon while it is lost. */
  readonly #say: (text: string) => void;
  /** Whether it is a node of a cluster: it may have been started with a store that we don't know. */
  #isNode = false;
  #starts = 0;
  #startedMs = 0;
  #seeking: Promise<boolean | undefined> | undefined;

  constructor(io: Io, client: Client, say: (text: string) => void) {
    this.#io = io;
    this.#client = client;
    this.#say = say;
  }

  /** Asks the daemon, while it is there, what has to be known about it later. */
  async getToKnow(): Promise<void> {
    if (remoteOf(this.#io)) return;
    // If this fails, the daemon is of a release without clusters, or already gone.
    const known = await this.#client.nodes.listNodes({}).catch(() => undefined);
    this.#isNode = known?.nodes.some(({ id }) => id !== "") ?? false;
  }

  /**
   * Waits until the daemon answers again, and starts it if it has crashed; all callers wait for the same search. Resolves to whether
   * it was started here, or undefined if the signal fires first or the daemon is not on this machine.
   */
  seek(signal: AbortSignal): Promise<boolean | undefined> {
    this.#seeking ??= this.#seek(signal).finally(() => {
      this.#seeking = undefined;
    });
    return this.#seeking;
  }

  async #seek(signal: AbortSignal): Promise<boolean | undefined> {
    if (remoteOf(this.#io)) return undefined;
    if (Date.now() - this.#startedMs > STABLE_MS) this.#starts = 0;
    const startMs = Date.now() + GRACE_MS;
    let failure = `its log may say why: ${locationOf(this.#io).log}`;
    let hasStarted = false;
    while (await elapsed(LOOK_MS, signal)) {
      try {
        if (await healthOf(this.#client)) return hasStarted;
        const obstacle = this.#obstacle();
        if (obstacle !== undefined) this.#say(obstacle);
        else if (this.#starts >= MAX_STARTS)
          this.#say(`gave up starting the daemon, which ended unexpectedly (${BY_HAND}): ${failure}`);
        else if (Date.now() >= startMs) {
          this.#say("the daemon ended unexpectedly; starting it again");
          this.#starts += 1;
          this.#startedMs = Date.now();
          // The file is that of the daemon that crashed.
          const { port } = readRunFile(locationOf(this.#io).runFile) ?? {};
          await launchUnlessThere(this.#io, this.#client, port);
          hasStarted = true;
        }
      } catch (error) {
        failure = reasonOf(error);
        this.#say(`the daemon ended unexpectedly and can't be started: ${failure}`);
      }
    }
    return undefined;
  }

  /** Why the daemon must not be started, for people; undefined if it has crashed. */
  #obstacle(): string | undefined {
    const location = locationOf(this.#io);
    // A daemon that is told to stop removes its file first; one that crashes leaves it.
    if (!readRunFile(location.runFile)) return `the daemon was stopped; ${BY_HAND}`;
    const pid = unresponsiveProcess(location);
    if (pid !== undefined)
      return `the daemon (process ${pid}) does not answer; to stop it: agentwire daemon stop`;
    return this.#isNode ? `the daemon, a node of a cluster, has ended; ${BY_HAND}` : undefined;
  }
}

/** Whether a time has passed without being cut short by the signal. */
const elapsed = (ms: number, signal: AbortSignal): Promise<boolean> =>
  setTimeout(ms, true, { signal }).catch(() => false);
