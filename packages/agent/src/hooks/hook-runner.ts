import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import {
  type HookEvent,
  type HookInput,
  type HookRegistration,
  type JsonObject,
  matchedNames,
} from "@agentwire/protocol";
import type { HostLink } from "../serve/host-link.ts";
import type { Notice } from "../session/workspace.ts";
import type { ProcessGroups } from "../tasks/process-groups.ts";
import { type Callback, callBack, toCallbacks } from "./callbacks.ts";
import { type CommandRun, runCommand } from "./command-hook.ts";
import type { HookOutcome, Hooks } from "./hooks.ts";
import { type HookAnswer, mergeAnswers } from "./merge.ts";
import { type Printed, toldOutput } from "./printed.ts";
import { readRun } from "./read-run.ts";
import type { SettingsHook } from "./settings-hooks.ts";

/** What the runner is given. */
export interface HookRunnerOptions {
  readonly host: HostLink;
  /** The hooks of the settings and of plugins, as they are now. */
  readonly commands: () => readonly SettingsHook[];
  /** The fields that every input has: session, transcript, folder, mode. */
  readonly common: () => JsonObject;
  readonly cwd: () => string;
  /** The folder that the session started in. */
  readonly projectDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly groups: ProcessGroups;
  readonly tell: (notice: Notice) => void;
  /** Whether command hooks are reported for all events, not only for the session's start. */
  readonly reportAll: boolean;
}

/** Events whose commands are always reported. */
const ALWAYS_REPORTED: ReadonlySet<HookEvent> = new Set(["SessionStart", "Setup"]);
/** Events of the process that the official agent does not call back for, but when /clear ends a session and starts another. */
const RARELY_CALLED_BACK: ReadonlySet<HookEvent> = new Set(["SessionStart", "SessionEnd"]);

/** How many files are watched at most. */
const MAX_WATCHED = 256;

/** Runs the hooks of the host and of the settings, all of an event side by side. */
export class HookRunner implements Hooks {
  readonly #options: HookRunnerOptions;
  #callbacks = new Map<string, readonly Callback[]>();
  #watchPaths: readonly string[] = [];

  constructor(options: HookRunnerOptions) {
    this.#options = options;
  }

  register(hooks: { readonly [event: string]: readonly HookRegistration[] }): void {
    const read = Object.entries(hooks).map(([event, given]) => [event, toCallbacks(event, given)] as const);
    this.#callbacks = new Map(read);
  }

  listens(event: HookEvent): boolean {
    return this.#callbacksOf(event).length > 0 || this.#commandsOf(event).length > 0;
  }

  watchedFiles(): readonly string[] {
    const hooks = [...this.#callbacksOf("FileChanged"), ...this.#commandsOf("FileChanged")];
    if (hooks.length === 0) return [];
    const named = hooks.flatMap(({ pattern }) => fileNames(pattern));
    const cwd = this.#options.cwd();
    return [...named, ...this.#watchPaths].slice(0, MAX_WATCHED).map((path) => resolve(cwd, path));
  }

  async run(
    event: HookEvent,
    facts: JsonObject,
    options: { readonly signal: AbortSignal; readonly toolUseId?: string },
  ): Promise<HookOutcome> {
    const input: JsonObject = { ...this.#options.common(), hook_event_name: event, ...facts };
    // Whoever knows the event has put its facts together; the type can't follow that.
    const names = matchedNames(input as HookInput);
    const isSilent = RARELY_CALLED_BACK.has(event) && facts.source !== "clear" && facts.reason !== "clear";
    const callbacks = isSilent
      ? []
      : this.#callbacksOf(event).filter(({ matcher }) => matcher.matches(names));
    const commands = this.#commandsOf(event).filter(({ matcher }) => matcher.matches(names));
    const answers = await Promise.all([
      ...callbacks.map((callback) =>
        callBack(this.#options.host, callback, event, input as HookInput, options),
      ),
      ...commands.map((command) => this.#execute(event, command, input, names[0], options.signal)),
    ]);
    const outcome = mergeAnswers(answers);
    if (outcome.watchPaths) this.#watchPaths = outcome.watchPaths;
    for (const content of outcome.messages)
      this.#options.tell({ type: "system", subtype: "informational", content, level: "info" });
    return outcome;
  }

  #callbacksOf(event: HookEvent): readonly Callback[] {
    return this.#callbacks.get(event) ?? [];
  }

  #commandsOf(event: HookEvent): readonly SettingsHook[] {
    return this.#options.commands().filter((hook) => hook.event === event);
  }

  async #execute(
    event: HookEvent,
    hook: SettingsHook,
    input: JsonObject,
    name: string | undefined,
    signal: AbortSignal,
  ): Promise<HookAnswer> {
    const { reportAll, tell } = this.#options;
    const reports = reportAll || ALWAYS_REPORTED.has(event);
    const about = {
      hook_id: randomUUID(),
      hook_name: name === undefined ? event : `${event}:${name}`,
      hook_event: event,
    };
    if (reports) tell({ type: "system", subtype: "hook_started", ...about });
    const onProgress = (printed: Printed) =>
      tell({ type: "system", subtype: "hook_progress", ...about, ...toldOutput(printed) });
    const ended = this.#runCommand(hook, input, signal, reports ? onProgress : undefined).then((run) => {
      if (reports) tell({ type: "system", subtype: "hook_response", ...about, ...reportOf(run) });
      return run;
    });
    return hook.isAsync ? { output: {} } : readRun(event, await ended);
  }

  async #runCommand(
    hook: SettingsHook,
    input: JsonObject,
    signal: AbortSignal,
    onProgress: ((printed: Printed) => void) | undefined,
  ): Promise<CommandRun> {
    const { cwd, env, groups, projectDir } = this.#options;
    const { pluginRoot } = hook.file;
    const own = {
      ...env,
      CLAUDE_PROJECT_DIR: projectDir,
      ...(pluginRoot !== undefined && { CLAUDE_PLUGIN_ROOT: pluginRoot }),
    };
    try {
      return await runCommand(hook, input, { cwd: cwd(), env: own, groups, signal, onProgress });
    } catch (error) {
      const stderr = error instanceof Error ? error.message : String(error);
      return { stdout: "", stderr, exitCode: undefined };
    }
  }
}

/** The names in a matcher of FileChanged: it says what is watched, so it can't be any other pattern. */
function fileNames(pattern: string): readonly string[] {
  const names = pattern.split("|").map((name) => name.trim());
  return names.filter((name) => name !== "" && name !== "*" && name !== ".*");
}

function reportOf(run: CommandRun) {
  const { exitCode } = run;
  return {
    ...toldOutput(run),
    ...(exitCode !== undefined && { exit_code: exitCode }),
    outcome: exitCode === 0 ? "success" : exitCode === undefined ? "cancelled" : "error",
  };
}
