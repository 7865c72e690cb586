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

/** What a session's sandbox is made of. */
export interface SandboxParts {
  readonly settings: Settings;
  readonly cwd: string;
  readonly home: string;
  readonly configDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A folder for what belongs to the sandbox, and goes with it. */
  readonly folder: string;
  /** The permission rules that count. */
  readonly rules: () => readonly GivenRule[];
  readonly ask: AskForHost;
  /** Whether other sessions run in the same process: its one set of proxies can't keep them apart. */
  readonly sharesProcess: boolean;
}

const SHARED =
  "The sandbox was turned on while the session shares its process with others, where it can't be used: end the session and resume it.";

/** Where a call of Bash would run: inside, outside because the settings or the model want it, or there is no sandbox. */
export type Placement = "inside" | "excluded" | "override" | "off";

/** A sandbox, and the folders of the project that what runs in it may change. */
export interface Inside {
  readonly sandbox: Sandbox;
  readonly roots: readonly string[];
}

/** A command line that is ready before anybody needs it, and what it was made for. */
interface Ahead {
  readonly config: SandboxRuntimeConfig;
  readonly wrapped: Promise<Wrapped>;
  readonly runtime: Runtime;
}

/** Gives up what was prepared: it counts as a command from when it is ready, and not if it failed. */
function release({ wrapped, runtime }: Ahead): void {
  wrapped.then(
    () => runtime.release(),
    () => {},
  );
}

/** The sandbox of a session: what runs inside, and the way into it. Nothing is loaded while the settings do not enable it. */
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
  /** Names that are only there inside, for as long as a command is. */
  readonly #closed = new Set<string>();
  #isOver = false;
  /** How many commands are inside. */
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

  /** Why commands can't be put inside; undefined where they can, or nobody wants them to be. */
  async problem(): Promise<string | undefined> {
    if (!this.settings.enabled) return undefined;
    this.#checked ??= sandboxProblem({ settings: this.settings, env: this.#parts.env });
    this.#problem = await this.#checked;
    return this.#problem;
  }

  /** What people are told of it. */
  async report(): Promise<string> {
    const { env, cwd } = this.#parts;
    const problem = await (this.settings.enabled
      ? this.problem()
      : sandboxProblem({ settings: this.settings, env }));
    return sandboxReport(this.settings, problem, [cwd]);
  }

  /** Whether commands are put inside. */
  get isOn(): boolean {
    return this.settings.enabled && this.#problem === undefined;
  }

  /** Where a command runs, given whether the model asks for it to be outside. */
  place(command: string, wantsOut: boolean): Placement {
    if (!this.isOn) return "off";
    if (isExcluded(command, this.settings.excludedCommands, this.#parts.cwd)) return "excluded";
    return wantsOut && this.settings.allowUnsandboxedCommands ? "override" : "inside";
  }

  /** Whether hooks or MCP servers run inside: those that the project brings, or others. */
  holds(what: "hooks" | "mcpServers", isOfProject: boolean): boolean {
    if (!this.settings.enabled) return false;
    const included = this.settings[what];
    return included === "all" || (included === "project" && isOfProject);
  }

  /** The way inside for a command; throws where there is none, so that it never runs outside instead. */
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
        // The result goes out first.
        setImmediate(() => {
          this.#inside--;
          runtime.release();
          if (this.#inside === 0) this.#prepare(runtime, config);
        });
      },
    };
  }

  /** Lets in what waits, now that there are rules, and prepares the first command. Never rejects. */
  async open(roots: readonly string[]): Promise<void> {
    this.#opened.resolve();
    try {
      if (this.#parts.sharesProcess || !this.settings.enabled || (await this.problem()) !== undefined) return;
      const config = await this.#configFor(roots);
      const runtime = await startRuntime(this, config, this.#parts.ask);
      if (this.#inside === 0) this.#prepare(runtime, config);
    } catch {
      // The first command finds out why, and says it.
    }
  }

  /** A file has changed, and it may be one that commands must not touch. */
  outdate(): void {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead) release(ahead);
  }

  /** Ends what serves the sandbox, and removes its temporary files. */
  async close(): Promise<void> {
    if (!this.#checked) return;
    this.#isOver = true;
    const ahead = this.#ahead;
    this.outdate();
    // It writes to the folder until it is ready.
    await ahead?.wrapped.catch(() => {});
    await stopRuntime(this);
    // A background command may still be ending in it.
    await rm(this.#parts.folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }

  /** What is ready if it still fits, else a new one. */
  async #take(runtime: Runtime, config: SandboxRuntimeConfig): Promise<Wrapped> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead?.config === config) return ahead.wrapped;
    if (ahead) release(ahead);
    return this.#wrap(runtime, config);
  }

  /**
   * Makes the next command line ready. Only while nothing is inside: names that the runtime guards with empty files are cleared
   * away when the last command has left, and one that is ready counts as a command.
   */
  #prepare(runtime: Runtime, config: SandboxRuntimeConfig): void {
    if (this.#ahead || this.#isOver) return;
    const wrapped = this.#wrap(runtime, config);
    this.#ahead = { config, wrapped, runtime };
    wrapped.catch(() => {
      if (this.#ahead?.wrapped === wrapped) this.#ahead = undefined;
    });
  }

  /** The way inside, with what it needs in the session's folder. */
  async #wrap(runtime: Runtime, config: SandboxRuntimeConfig): Promise<Wrapped> {
    const { env, home } = this.#parts;
    const inner = entrance(this.settings);
    // The runtime leaves out folders that are not there.
    makeOutputFolder(this.#temporary);
    this.#ownIgnored ??= ownIgnored(env, home);
    const own = await this.#ownIgnored;
    const wrapped = await runtime.wrap(inner, config);
    try {
      // Names that a command inside has closed by now look as if they were there.
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

  /** The same object as long as nothing has changed. */
  async #configFor(roots: readonly string[]): Promise<SandboxRuntimeConfig> {
    const { cwd, home, configDir, env, rules } = this.#parts;
    // In a worktree, rules are about the folder that it stands in for as well.
    const folders = [...new Set([cwd, roots[0] ?? cwd])];
    const limits = await Promise.all(folders.map((folder) => ruleLimits(rules(), { cwd: folder, home })));
    const config = runtimeConfig(this.settings, joinedLimits(limits), {
      roots,
      ...(await guardedIn(roots)),
      temporary: this.#temporary,
      configDir,
      ripgrep: await ripgrepFor(this.settings, env),
      socat: this.#socat(),
    });
    if (!isDeepStrictEqual(config, this.#config)) this.#config = config;
    return this.#config ?? config;
  }

  get #temporary(): string {
    return join(this.#parts.folder, "tmp");
  }

  /** The list by which git inside ignores names that are only closed there. */
  get #ignored(): string {
    return join(this.#parts.folder, "git-ignore");
  }

  #socat(): string {
    this.#ownSocat ??= writeSocat(this.#parts.folder, this.settings.socatPath);
    return this.#ownSocat;
  }
}
