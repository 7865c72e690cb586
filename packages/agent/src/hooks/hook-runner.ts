import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { ProcessGroups } from "@agentwire/local/process";
import type { JsonObject } from "@agentwire/protocol";
import {
  type HookEvent,
  type HookInput,
  type HookRegistration,
  matchedNames,
} from "@agentwire/protocol/hooks";
import { errorMessage } from "@agentwire/protocol/support";
import type { HostLink } from "../host/host-link.ts";
import type { Notice } from "../host/outlet.ts";
import type { Entered } from "../sandbox/entrance.ts";
import type { Inside } from "../sandbox/sandbox.ts";
import { RUNNING } from "../tools/bash/command.ts";
import { type Callback, callBack, toCallbacks } from "./callbacks.ts";
import { type CommandRun, readRun, runCommand } from "./command-hook.ts";
import { type CommandOutput, reportedOutput } from "./command-output.ts";
import { type HookResult, type HookRunOptions, type Hooks, userLine } from "./hooks.ts";
import { type HookAnswer, mergeAnswers } from "./merge.ts";
import type { SettingsHook } from "./settings-hooks.ts";

/** What the runner depends on. */
export interface HookRunnerOptions {
  readonly host: HostLink;
  /** The current hooks of settings and plugins. */
  readonly commands: () => readonly SettingsHook[];
  /** The fields common to all inputs: session, transcript, folder, mode. */
  readonly common: () => JsonObject;
  readonly cwd: () => string;
  /** The folder that the session started in. */
  readonly projectDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly groups: ProcessGroups;
  readonly tell: (notice: Notice) => void;
  /** Whether command hooks are reported for all events, not only for the start of the session. */
  readonly reportAll: boolean;
  /** The sandbox that hooks run in if the settings require it. */
  readonly inside: () => Inside;
}

/** Events whose commands are always reported. */
const ALWAYS_REPORTED: ReadonlySet<HookEvent> = new Set(["SessionStart", "Setup"]);
/** Events for which the official agent calls host callbacks only when /clear ends a session and starts another. */
const RARELY_CALLED_BACK: ReadonlySet<HookEvent> = new Set(["SessionStart", "SessionEnd"]);

/** The maximum number of watched files. */
const MAX_WATCHED = 256;

/** Runs the hooks of the host and of the settings; all hooks of an event run in parallel. */
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

  async run(event: HookEvent, facts: JsonObject, options: HookRunOptions): Promise<HookResult> {
    const input: JsonObject = { ...this.#options.common(), hook_event_name: event, ...facts };
    // The caller provides the fields of the event; the type can't express that.
    const names = matchedNames(input as HookInput);
    const isSilent = RARELY_CALLED_BACK.has(event) && facts.source !== "clear" && facts.reason !== "clear";
    const callbacks = isSilent
      ? []
      : this.#callbacksOf(event).filter(({ matcher }) => matcher.matches(names));
    const commands = onceEach(this.#commandsOf(event).filter(({ matcher }) => matcher.matches(names)));
    const answers = await Promise.all([
      ...callbacks.map((callback) => this.#callBack(event, callback, input as HookInput, options)),
      ...commands.map((command) => this.#execute(event, command, input, names[0], options)),
    ]);
    const said = mergeAnswers(answers);
    const source = hookName(event, names[0]);
    const outcome = { ...said, messages: said.messages.map((text) => `${source} says: ${text}`) };
    if (outcome.watchPaths) this.#watchPaths = outcome.watchPaths;
    if (!options.tellsLater) for (const text of outcome.messages) this.#options.tell(userLine(text));
    return outcome;
  }

  #callbacksOf(event: HookEvent): readonly Callback[] {
    return this.#callbacks.get(event) ?? [];
  }

  async #callBack(event: HookEvent, callback: Callback, input: HookInput, options: HookRunOptions) {
    const answer = await callBack(this.#options.host, callback, event, input, options);
    if ("failure" in answer && !options.signal.aborted)
      this.#options.tell(failedCallback(`${event}: hook callback ${callback.id} failed: ${answer.failure}`));
    return answer;
  }

  #commandsOf(event: HookEvent): readonly SettingsHook[] {
    return this.#options.commands().filter((hook) => hook.event === event);
  }

  async #execute(
    event: HookEvent,
    hook: SettingsHook,
    input: JsonObject,
    name: string | undefined,
    { signal, toolUseId }: HookRunOptions,
  ): Promise<HookAnswer> {
    const { reportAll, tell } = this.#options;
    const reports = (reportAll && event !== "SessionEnd") || ALWAYS_REPORTED.has(event);
    const about = {
      hook_id: randomUUID(),
      hook_name: hookName(event, name),
      hook_event: event,
    };
    if (reports) tell({ type: "system", subtype: "hook_started", ...about });
    const onProgress = (printed: CommandOutput) =>
      tell({ type: "system", subtype: "hook_progress", ...about, ...reportedOutput(printed) });
    const ended = this.#runCommand(hook, input, signal, reports ? onProgress : undefined).then((run) => {
      const answer = readRun(event, run);
      if (reports) tell({ type: "system", subtype: "hook_response", ...about, ...reportOf(run, answer) });
      if (event === "PreToolUse" && !signal.aborted && hasNoVerdict(run, answer))
        tell(noVerdict(run, toolUseId));
      return answer;
    });
    return hook.isAsync ? { output: {} } : ended;
  }

  async #runCommand(
    hook: SettingsHook,
    input: JsonObject,
    signal: AbortSignal,
    onProgress: ((printed: CommandOutput) => void) | undefined,
  ): Promise<CommandRun> {
    const { cwd, env, groups, projectDir } = this.#options;
    const { pluginRoot } = hook.file;
    const own = {
      ...env,
      CLAUDE_PROJECT_DIR: projectDir,
      ...(pluginRoot !== undefined && { CLAUDE_PLUGIN_ROOT: pluginRoot }),
    };
    try {
      const entered = await this.#enter(hook);
      return await runCommand(hook, input, { cwd: cwd(), env: own, groups, signal, entered, onProgress });
    } catch (error) {
      const stderr = errorMessage(error);
      return { stdout: "", stderr, exitCode: undefined };
    }
  }

  async #enter({ command, file }: SettingsHook): Promise<Entered | undefined> {
    const { sandbox, roots } = this.#options.inside();
    if (!sandbox.holds("hooks", OF_PROJECT.has(file.source))) return undefined;
    return sandbox.enter({ roots, shell: "bash", script: RUNNING, command });
  }
}

const OF_PROJECT: ReadonlySet<string> = new Set(["projectSettings", "localSettings"]);

/** The names in a matcher of FileChanged, which lists the files to watch and so can't be another kind of pattern. */
function fileNames(pattern: string): readonly string[] {
  const names = pattern.split("|").map((name) => name.trim());
  return names.filter((name) => name !== "" && name !== "*" && name !== ".*");
}

/** Removes duplicates: the same command in several files or matchers runs once. */
function onceEach(hooks: readonly SettingsHook[]): readonly SettingsHook[] {
  const known = new Map<string, SettingsHook>();
  for (const hook of hooks) {
    const key = JSON.stringify([hook.command, hook.file.pluginRoot]);
    if (!known.has(key)) known.set(key, hook);
  }
  return [...known.values()];
}

const hookName = (event: HookEvent, name: string | undefined) =>
  name === undefined ? event : `${event}:${name}`;

function reportOf(run: CommandRun, answer: HookAnswer) {
  const { exitCode } = run;
  // Even if a hook succeeds, its output may not be a valid answer.
  const unusable = exitCode === 0 && "failure" in answer ? { ...run, stderr: answer.failure } : run;
  return {
    ...reportedOutput(unusable),
    exit_code: exitCode ?? 1,
    outcome: exitCode === undefined ? "cancelled" : unusable === run && exitCode === 0 ? "success" : "error",
  };
}

const NOT_STARTED: ReadonlySet<number | undefined> = new Set([126, 127]);

/** Whether a hook gave no verdict on a call: it took too long, could not be started, or printed something that can't be parsed. */
function hasNoVerdict({ exitCode }: CommandRun, answer: HookAnswer): boolean {
  return exitCode === undefined || NOT_STARTED.has(exitCode) || (exitCode === 0 && "failure" in answer);
}

function failedCallback(content: string): Notice {
  return { type: "system", subtype: "informational", content, level: "warning", tag: "hook_callback_failed" };
}

function noVerdict({ exitCode }: CommandRun, toolUseId: string | undefined): Notice {
  const what = exitCode === undefined ? "did not answer in time" : "gave no usable answer";
  return {
    type: "system",
    subtype: "informational",
    content: `A hook ${what}, so it has not checked this call.`,
    level: "warning",
    tag: "hook_no_verdict",
    ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
  };
}
