import type { Readable, Writable } from "node:stream";
import type { Config } from "../config/config.ts";
import type { Flags } from "../config/flags.ts";
import type { SignalSource } from "./signals.ts";

/** The environment that an agent runs in: its streams, configuration and signals. */
export interface Surroundings {
  /** Combines flags, environment and folder into a configuration. */
  readonly configure: (flags: Flags) => Promise<Config>;
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
  complain(text: string): void;
  /** The source of end signals; the process by default. */
  readonly signals?: SignalSource;
  /** Called with the session as soon as it runs, for a caller that watches its memory. */
  readonly onSession?: (session: WatchedSession) => void;
}

/** A session as seen by its watcher. */
export interface WatchedSession {
  /** The approximate size of what it holds in memory. */
  heldBytes(): number;
  /** Ends it; a running turn ends with the reason as its result. */
  end(reason: string): void;
}

/** Runs an agent in the given surroundings; resolves to its exit code. */
export type RunAgent = (flags: Flags, surroundings: Surroundings) => Promise<number>;
