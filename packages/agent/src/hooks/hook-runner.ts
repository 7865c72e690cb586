import { randomUUID } from "node:crypto";
import {
  compileMatcher,
  type HookEvent,
  type HookInput,
  type HookMatcher,
  type HookRegistration,
  type JsonObject,
  matchedNames,
  readHookOutput,
} from "@agentwire/protocol";
import type { HostLink } from "../host-link.ts";
import type { Notice } from "../workspace.ts";
import { readRun, runCommand } from "./command-hook.ts";
import type { HookOutcome, Hooks } from "./hooks.ts";
import { type HookAnswer, mergeAnswers } from "./merge.ts";
import { type SettingsHook, settingsHooks } from "./settings-hooks.ts";

/** What the runner is given. */
export interface HookRunnerOptions {
  readonly host: HostLink;
  /** The merged settings, as they are now. */
  readonly settings: () => JsonObject;
  /** The fields that every input has: session, transcript, folder, mode. */
  readonly common: () => JsonObject;
  readonly cwd: () => string;
  readonly env: NodeJS.ProcessEnv;
  readonly tell: (notice: Notice) => void;
  /** Whether command hooks are reported for all events, not only for the session's start. */
  readonly reportAll: boolean;
}

interface Callback {
  readonly id: string;
  readonly matcher: HookMatcher;
  readonly timeoutMs: number;
  readonly blocksOnFailure: boolean;
}

const DEFAULT_TIMEOUT_MS = 600_000;
/** Events whose commands are always reported. */
const ALWAYS_REPORTED: ReadonlySet<HookEvent> = new Set(["SessionStart", "Setup"]);
/** Events where a failed hook never blocks: nothing would be guarded by it. */
const NEVER_BLOCKED: ReadonlySet<HookEvent> = new Set([
  "Stop",
  "SubagentStop",
  "TaskCompleted",
  "TeammateIdle",
]);
/** The official agent registers callbacks for these and never calls them. */
const NO_CALLBACKS: ReadonlySet<HookEvent> = new Set(["SessionStart", "SessionEnd"]);

/** Runs the hooks of the host and of the settings, all of an event side by side. */
export class HookRunner implements Hooks {
  readonly #options: HookRunnerOptions;
  #callbacks = new Map<string, readonly Callback[]>();

  constructor(options: HookRunnerOptions) {
    this.#options = options;
  }

  register(hooks: { readonly [event: string]: readonly HookRegistration[] }): void {
    this.#callbacks = new Map(
      Object.entries(hooks).map(([event, registrations]) => [
        event,
        registrations.flatMap((registration) => toCallbacks(event, registration)),
      ]),
    );
  }

  listens(event: HookEvent): boolean {
    return this.#callbacksOf(event).length > 0 || settingsHooks(this.#options.settings(), event).length > 0;
  }

  async run(
    event: HookEvent,
    facts: JsonObject,
    options: { readonly signal: AbortSignal; readonly toolUseId?: string },
  ): Promise<HookOutcome> {
    const input = { ...this.#options.common(), hook_event_name: event, ...facts };
    const names = matchedNames(input as HookInput);
    const callbacks = this.#callbacksOf(event).filter(({ matcher }) => matcher.matches(names));
    const commands = settingsHooks(this.#options.settings(), event).filter(({ matcher }) =>
      matcher.matches(names),
    );
    const answers = await Promise.all([
      ...callbacks.map((callback) => this.#call(event, callback, input, options)),
      ...commands.map((command) => this.#execute(event, command, input, names[0], options.signal)),
    ]);
    return mergeAnswers(answers);
  }

  #callbacksOf(event: HookEvent): readonly Callback[] {
    return NO_CALLBACKS.has(event) ? [] : (this.#callbacks.get(event) ?? []);
  }

  async #call(
    event: HookEvent,
    callback: Callback,
    input: JsonObject,
    options: { readonly signal: AbortSignal; readonly toolUseId?: string },
  ): Promise<HookAnswer> {
    try {
      // The wire names something even where no tool is involved.
      const params = { callback_id: callback.id, input, tool_use_id: options.toolUseId ?? randomUUID() };
      const answer = await this.#options.host.request("hook_callback", params as never, {
        signal: options.signal,
        timeoutMs: callback.timeoutMs,
      });
      const read = readHookOutput(event, answer);
      return read.ok ? { output: read.output } : { failure: read.reason, blocks: callback.blocksOnFailure };
    } catch (error) {
      return {
        failure: error instanceof Error ? error.message : String(error),
        blocks: callback.blocksOnFailure,
      };
    }
  }

  async #execute(
    event: HookEvent,
    hook: SettingsHook,
    input: JsonObject,
    name: string | undefined,
    signal: AbortSignal,
  ): Promise<HookAnswer> {
    const { tell, reportAll, cwd, env } = this.#options;
    const reports = reportAll || ALWAYS_REPORTED.has(event);
    const about = {
      hook_id: randomUUID(),
      hook_name: name === undefined ? event : `${event}:${name}`,
      hook_event: event,
    };
    if (reports) tell({ type: "system", subtype: "hook_started", ...about });
    const run = await runCommand(hook, input, { cwd: cwd(), env, signal });
    if (reports) {
      const outcome = run.exitCode === 0 ? "success" : run.exitCode === undefined ? "cancelled" : "error";
      const output = run.stdout + run.stderr;
      tell({
        type: "system",
        subtype: "hook_response",
        ...about,
        output,
        stdout: run.stdout,
        stderr: run.stderr,
        ...(run.exitCode !== undefined && { exit_code: run.exitCode }),
        outcome,
      });
    }
    return readRun(event, run);
  }
}

function toCallbacks(event: string, registration: HookRegistration): readonly Callback[] {
  const { matcher, hookCallbackIds, timeout, onFailure } = registration;
  return hookCallbackIds.map((id) => ({
    id,
    matcher: compileMatcher(matcher),
    timeoutMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : timeout * 1000,
    blocksOnFailure: onFailure === "block" && !NEVER_BLOCKED.has(event as HookEvent),
  }));
}
