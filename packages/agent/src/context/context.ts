import type { AgentDefinition } from "@agentwire/protocol/control";
import type { Inside } from "../sandbox/sandbox.ts";
import type { Withheld } from "../settings/untrusted.ts";
import { BUILT_IN_STYLES } from "./output-styles.ts";
import type { Plugin } from "./plugins.ts";

/** Decides whether and where the commands in a prompt run. */
export interface PromptShell {
  /** Why a command may not run; undefined if it may. */
  refusal(command: string, signal: AbortSignal): Promise<string | undefined>;
  /** The sandbox that a command runs in, the same as for Bash; undefined if it runs outside. */
  inside(command: string): Inside | undefined;
}

/** A command or skill: a named prompt written by the user, the project or a plugin. */
export interface PromptFile {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
  readonly kind: "command" | "skill";
  /** `user`, `project`, or the plugin's name, which is then also the prefix of `name`. */
  readonly owner: string;
  /** The file it was read from. */
  readonly path: string;
  /** Tools that the front matter allows without asking. */
  readonly allowedTools: readonly string[];
  readonly model: string | undefined;
  /** Parts of the file that are ignored because its folder is not trusted. */
  readonly withheld: readonly string[];
  /** The unchanged text of the file after the front matter. */
  readonly body: string;
  /**
   * Fills in the output of each `!`command``, then `$ARGUMENTS`, `$ARGUMENTS[0]`, `$0` …; the arguments themselves are never
   * interpreted. The prompt of a skill also names its folder.
   */
  expand(args: string, shell: PromptShell, signal: AbortSignal): Promise<string>;
}

/** What the project and the user have written for the agent. Read at the start, and again on request. */
export interface ProjectContext {
  /** The CLAUDE.md files with their imports, as one text for the model; empty if there are none. */
  readonly memory: string;
  readonly memoryFiles: readonly {
    readonly path: string;
    readonly type: "user" | "project" | "local";
    readonly content: string;
    /** The file that imports it; undefined if none does. */
    readonly parent?: string;
  }[];
  /** Subagents by name. For equal names, the host takes precedence over the project, and the project over the user. */
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly prompts: ReadonlyMap<string, PromptFile>;
  /** Output styles by name, with their text; `default` has none. */
  readonly outputStyles: ReadonlyMap<string, string>;
  readonly plugins: readonly Plugin[];
  /** Parts of files that are ignored because their folder is not trusted. */
  readonly withheld: readonly Withheld[];
}

/** The context before anything has been read. */
export const NO_CONTEXT: ProjectContext = {
  memory: "",
  memoryFiles: [],
  agents: new Map(),
  prompts: new Map(),
  outputStyles: BUILT_IN_STYLES,
  plugins: [],
  withheld: [],
};
