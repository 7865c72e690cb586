import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { guardedIn } from "@agentwire/local/sandbox";
import type { GivenRule } from "@agentwire/protocol/permission";
import type { SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";
import { deferred } from "../deferred.ts";
import { makeOutputFolder } from "../files/output-folder.ts";
import type { Settings } from "../settings/settings.ts";
import { shortened } from "./command-line.ts";
import { type Entered, type Entry, entrance, environmentOf } from "./entrance.ts";
import { isExcluded } from "./excluded.ts";
import { closedNames, ownIgnored, writeIgnored } from "./git-ignore.ts";
import { sandboxReport } from "./report.ts";
import { ripgrepFor, sandboxProblem } from "./requirements.ts";
import { joinedLimits, ruleLimits } from "./rule-limits.ts";
import { type AskForHost, type Runtime, startRuntime, stopRuntime, type Wrapped } from "./runtime.ts";
import { runtimeConfig } from "./runtime-config.ts";
import { type SandboxSettings, sandboxSettings } from "./sandbox-settings.ts";
import { writeSocat } from "./socat.ts";

/** What a session's sandbox is created from. */
export interface SandboxParts {
  readonly settings: Settings;
  readonly cwd: string;
  readonly home: string;
  readonly configDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A folder for the sandbox's own files, removed along with it. */
  readonly folder: string;
  /** The permission rules in effect. */
  readonly rules: () => readonly GivenRule[];
  readonly ask: AskForHost;
  /** Whether other sessions run in the same process, whose single set of proxies can't keep them apart. */
  readonly sharesProcess: boolean;
}

const SHARED =
  "The sandbox was turned on while the session shares its process with others, where it can't be used: end the session and resume it.";

/** Where a Bash call runs: inside, outside because the settings or the model require it, or without any sandbox. */
export type Placement = "inside" | "excluded" | "override" | "off";

/** A sandbox, and the project folders that may be changed inside it. */
export interface Inside {
  readonly sandbox: Sandbox;
  readonly roots: readonly string[];
}

/** A command line prepared in advance, and what it was prepared for. */
interface Ahead {
  readonly config: SandboxRuntimeConfig;
  readonly wrapped: Promise<Wrapped>;
  readonly runtime: Runtime;
}

/** Discards what was prepared; the runtime counts it as a command once it is ready, but not if it failed. */
function release({ wrapped, runtime }: Ahead): void {
  wrapped.then(
    () => runtime.release(),
    () => {},
  );
}

/** The sandbox of a session: decides what runs inside, and prepares it. Loads nothing unless the settings enable it. */
export class Sandbox {
  readonly #parts: SandboxParts;
  #read: { readonly files: Settings["files"]; readonly settings: SandboxSettings } | undefined;
  #checked: Promise<string | undefined> | undefined;
  #problem: string | undefined;
  #ahead: Ahead | undefined;
  #config: SandboxRuntimeConfig | undefined;
  readonly #opened = deferred<void>();
  #ownSocat: string | undefined;
  #ownIgnored: Promise<string> | undefined;
  /** Names that exist only inside the sandbox while a command is running there. */
  readonly #closed = new Set<string>();
  #isOver = false;
  /** The number of commands inside. */
  #inside = 0;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
  }

  get settings(): SandboxSettings {
    const { settings, home } = this.#parts;
    if (this.#read?.files !== settings.files)
      this.#read = { files: settings.files, settings: sandboxSettings(settings, home) };
    return this.#read.settings;
  }

  /** Why commands can't run inside; undefined if they can, or if the sandbox is turned off. */
  async problem(): Promise<string | undefined> {
    if (!this.settings.enabled) return undefined;
    this.#checked ??= sandboxProblem({ settings: this.settings, env: this.#parts.env });
    this.#problem = await this.#checked;
    return this.#problem;
  }

  /** The description of the sandbox for people. */
  async report(): Promise<string> {
    const { env, cwd } = this.#parts;
    const problem = await (this.settings.enabled
      ? this.problem()
      : sandboxProblem({ settings: this.settings, env }));
    return sandboxReport(this.settings, problem, [cwd]);
  }

  /** Whether commands run inside the sandbox. */
  get isOn(): boolean {
    return this.settings.enabled && this.#problem === undefined;
  }

  /** Where a command runs; `wantsOut` means that the model asks to run it outside. */
  place(command: string, wantsOut: boolean): Placement {
    if (!this.isOn) return "off";
    if (isExcluded(command, this.settings.excludedCommands, this.#parts.cwd)) return "excluded";
    return wantsOut && this.settings.allowUnsandboxedCommands ? "override" : "inside";
  }

  /** Whether hooks or MCP servers, from the project or from elsewhere, run inside. */
  holds(what: "hooks" | "mcpServers", isOfProject: boolean): boolean {
    if (!this.settings.enabled) return false;
    const included = this.settings[what];
    return included === "all" || (included === "project" && isOfProject);
  }

  /** Prepares the sandbox for a command; throws if there is none, so that the command never runs outside instead. */
  async enter(entry: Entry): Promise<Entered> {
    await this.#opened.promise;
    const problem = await this.problem();
    if (problem !== undefined) throw new Error(`The sandbox can't be used: ${problem}.`);
    if (this.#parts.sharesProcess) throw new Error(SHARED);
    const config = await this.#configFor(entry.roots);
    const runtime = await startRuntime(this, config, this.#parts.ask);
    const wrapped = await this.#take(runtime, config);
    this.#inside++;
    let isIn = true;
    return {
      script: `exec ${wrapped.line}`,
      env: environmentOf(entry, { temporary: this.#temporary, ignored: this.#ignored }),
      violations: wrapped.violations,
      leave: () => {
        if (!isIn) return;
        isIn = false;
        // Send the result first.
        setImmediate(() => {
          this.#inside--;
          runtime.release();
          if (this.#inside === 0) this.#prepare(runtime, config);
        });
      },
    };
  }

  /** Releases the waiting commands, now that the rules are known, and prepares the first one. Never rejects. */
  async open(roots: readonly string[]): Promise<void> {
    this.#opened.resolve();
    try {
      if (this.#parts.sharesProcess || !this.settings.enabled || (await this.problem()) !== undefined) return;
      const config = await this.#configFor(roots);
      const runtime = await startRuntime(this, config, this.#parts.ask);
      if (this.#inside === 0) this.#prepare(runtime, config);
    } catch {
      // The first command will hit the same problem and report it.
    }
  }

  /** Called when a file has changed that commands may not be allowed to access. */
  outdate(): void {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead) release(ahead);
  }

  /** Stops the sandbox's helpers and removes its temporary files. */
  async close(): Promise<void> {
    if (!this.#checked) return;
    this.#isOver = true;
    const ahead = this.#ahead;
    this.outdate();
    // It writes to the folder until it is ready.
    await ahead?.wrapped.catch(() => {});
    await stopRuntime(this);
    // A background command may still be writing there as it ends.
    await rm(this.#parts.folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }

  /** The prepared command line if it still fits, otherwise a new one. */
  async #take(runtime: Runtime, config: SandboxRuntimeConfig): Promise<Wrapped> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead?.config === config) return ahead.wrapped;
    if (ahead) release(ahead);
    return this.#wrap(runtime, config);
  }

  /**
   * Prepares the next command line, but only while no command is inside: the runtime removes the empty files with which it guards
   * names when its last command has ended, and a prepared one counts as a command.
   */
  #prepare(runtime: Runtime, config: SandboxRuntimeConfig): void {
    if (this.#ahead || this.#isOver) return;
    const wrapped = this.#wrap(runtime, config);
    this.#ahead = { config, wrapped, runtime };
    wrapped.catch(() => {
      if (this.#ahead?.wrapped === wrapped) this.#ahead = undefined;
    });
  }

  /** Wraps the entrance, with the files that it needs in the session's folder. */
  async #wrap(runtime: Runtime, config: SandboxRuntimeConfig): Promise<Wrapped> {
    const { env, home } = this.#parts;
    const inner = entrance(this.settings);
    // The runtime ignores folders that do not exist.
    makeOutputFolder(this.#temporary);
    this.#ownIgnored ??= ownIgnored(env, home);
    const own = await this.#ownIgnored;
    const wrapped = await runtime.wrap(inner, config);
    try {
      // Names closed by a command that is still inside look as if they existed.
      if (this.#inside === 0) this.#closed.clear();
      for (const name of closedNames(wrapped.line)) this.#closed.add(name);
      writeIgnored(this.#ignored, own, this.#closed);
    } catch (error) {
      runtime.release();
      throw error;
    }
    const socat = { outside: this.#socat(), inside: this.settings.socatPath ?? "socat" };
    return { ...wrapped, line: shortened(wrapped.line, { entrance: inner, socat }) };
  }

  /** Returns the same object until something changes. */
  async #configFor(roots: readonly string[]): Promise<SandboxRuntimeConfig> {
    const { cwd, home, configDir, env, rules } = this.#parts;
    // In a worktree, rules also apply to the folder that it replaces.
    const folders = [...new Set([cwd, roots[0] ?? cwd])];
    const limits = await Promise.all(folders.map((folder) => ruleLimits(rules(), { cwd: folder, home })));
    const config = runtimeConfig(this.settings, joinedLimits(limits), {
      roots,
      ...(await guardedIn(roots)),
      temporary: this.#temporary,
      configDir,
      ripgrep: ripgrepFor(this.settings, env),
      socat: this.#socat(),
    });
    if (!isDeepStrictEqual(config, this.#config)) this.#config = config;
    return this.#config ?? config;
  }

  get #temporary(): string {
    return join(this.#parts.folder, "tmp");
  }

  /** The list that makes git inside the sandbox ignore names that are only closed there. */
  get #ignored(): string {
    return join(this.#parts.folder, "git-ignore");
  }

  #socat(): string {
    this.#ownSocat ??= writeSocat(this.#parts.folder, this.settings.socatPath);
    return this.#ownSocat;
  }
}
