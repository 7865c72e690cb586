import type { JsonObject } from "@agentwire/protocol";
import type { HookEvent, HookRegistration } from "@agentwire/protocol/hooks";
import type { Notice } from "../host/outlet.ts";

/** Everything the hooks of one event said, put together: deny before defer before ask before allow. */
export interface HookResult {
  /** PreToolUse (and PermissionRequest): what becomes of the call. */
  readonly decision?: "allow" | "deny" | "ask" | "defer";
  readonly reason?: string;
  readonly updatedInput?: JsonObject;
  /** PermissionRequest: the whole answer. */
  readonly permission?: JsonObject;
  /** Text for the model. */
  readonly context: readonly string[];
  /** `decision: "block"`: the prompt is dropped, the stop prevented, the reason fed back. */
  readonly block?: { readonly reason: string };
  /** `continue: false`: the loop ends. */
  readonly stop?: { readonly reason: string };
  /** A hook failed where that blocks nothing. */
  readonly hasFailed?: true;
  readonly updatedToolOutput?: unknown;
  /** Lines for the user: sent already, unless the caller wanted to send them. */
  readonly messages: readonly string[];
  /** The files that are to be watched from now on. */
  readonly watchPaths?: readonly string[];
  /** Fields of single events: sessionTitle, initialUserMessage, suppressOriginalPrompt, retry … */
  readonly specific: JsonObject;
}

/** Runs hooks: the host's callbacks and the commands of the settings files. */
export interface Hooks {
  /** Replaces the host's callbacks (`initialize.hooks`). */
  register(hooks: { readonly [event: string]: readonly HookRegistration[] }): void;
  /** Whether anyone listens: asked before an input is built. */
  listens(event: HookEvent): boolean;
  /** The files that FileChanged hooks want to hear of: those that their matchers name, and those that hooks have asked for since. */
  watchedFiles(): readonly string[];
  /** Runs all hooks of an event side by side. `input` holds the event's own fields; the common ones are added here. Never rejects. */
  run(event: HookEvent, input: JsonObject, options: HookRunOptions): Promise<HookResult>;
}

/** How hooks are run. */
export interface HookRunOptions {
  readonly signal: AbortSignal;
  readonly toolUseId?: string;
  /** What the hooks have to say to the user is told by the caller, with `userLine`. */
  readonly tellsLater?: boolean;
}

/** A line of a hook for the user, as the host is told. */
export function userLine(content: string): Notice {
  return { type: "system", subtype: "informational", content, level: "notice" };
}
