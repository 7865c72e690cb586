import type { JsonObject } from "@agentwire/protocol";
import type { HookEvent, HookRegistration } from "@agentwire/protocol/hooks";
import type { Notice } from "../host/outlet.ts";

/** The merged answers of all hooks of an event. Of several decisions, the strictest applies: deny, defer, ask, allow. */
export interface HookResult {
  /** PreToolUse (and PermissionRequest): the decision on the call. */
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
  /** Set if a hook failed without blocking anything. */
  readonly hasFailed?: true;
  readonly updatedToolOutput?: unknown;
  /** Lines for the user; already sent unless the caller sends them (`tellsLater`). */
  readonly messages: readonly string[];
  /** The files to watch from now on. */
  readonly watchPaths?: readonly string[];
  /** Fields of single events: sessionTitle, initialUserMessage, suppressOriginalPrompt, retry … */
  readonly specific: JsonObject;
}

/** Runs hooks: the host's callbacks and the commands of the settings files. */
export interface Hooks {
  /** Replaces the host's callbacks (`initialize.hooks`). */
  register(hooks: { readonly [event: string]: readonly HookRegistration[] }): void;
  /** Whether an event has any hooks; check this before building an input. */
  listens(event: HookEvent): boolean;
  /** The files to watch for FileChanged hooks: those named by their matchers, and those that hooks have requested since. */
  watchedFiles(): readonly string[];
  /** Runs all hooks of an event in parallel. `input` has the event's own fields; the common ones are added. Never rejects. */
  run(event: HookEvent, input: JsonObject, options: HookRunOptions): Promise<HookResult>;
}

/** How hooks are run. */
export interface HookRunOptions {
  readonly signal: AbortSignal;
  readonly toolUseId?: string;
  /** Whether the caller sends the hooks' lines for the user itself, with `userLine`. */
  readonly tellsLater?: boolean;
}

/** The notice for the host with a hook's line for the user. */
export function userLine(content: string): Notice {
  return { type: "system", subtype: "informational", content, level: "notice" };
}
