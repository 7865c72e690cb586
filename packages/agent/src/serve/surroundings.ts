import type { Readable, Writable } from "node:stream";
import type { Config } from "../config/config.ts";
import type { Flags } from "../config/flags.ts";
import type { SignalSource } from "./signals.ts";

/** What a host gives to an agent that it starts. */
export interface Surroundings {
  /** What flags, environment and folder say together. */
  readonly configure: (flags: Flags) => Promise<Config>;
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
  complain(text: string): void;
  /** Where it is told to end; the process unless said otherwise. */
  readonly signals?: SignalSource;
  /** Told of the session as soon as it runs, by whoever watches how much it holds. */
  readonly onSession?: (session: WatchedSession) => void;
}

/** A session that is watched from outside. */
export interface WatchedSession {
  /** How much it holds in memory, about. */
  heldBytes(): number;
  /** Ends it: the host is told why, as the result of its turn where one runs. */
  end(reason: string): void;
}

/** Runs an agent in surroundings of its own; resolves to its exit code. */
export type RunAgent = (flags: Flags, surroundings: Surroundings) => Promise<number>;
