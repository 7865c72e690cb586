import type { AgentDefinition } from "@agentwire/protocol/control";
import type { Inside } from "../sandbox/sandbox.ts";
import type { Withheld } from "../settings/untrusted.ts";
import { BUILT_IN_STYLES } from "./output-styles.ts";
import type { Plugin } from "./plugins.ts";

/** What decides whether and where the commands of a prompt run. */
export interface PromptShell {
  /** Why a command may not run; undefined if it may. */
  refusal(command: string, signal: AbortSignal): Promise<string | undefined>;
  /** The sandbox that a command runs in, as it would by Bash; undefined where that is outside. */
  inside(command: string): Inside | undefined;
}

/** A command or skill that the project or the user wrote: a prompt with a name. */
export interface PromptFile {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
  readonly kind: "command" | "skill";
  /** Whose it is: `user`, `project`, or the plugin's name, which its own name then begins with. */
  readonly owner: string;
  /** The file it came from. */
  readonly path: string;
  /** Tools that the front matter allows without asking. */
  readonly allowedTools: readonly string[];
  readonly model: string | undefined;
  /** Parts of the file that are ignored because its folder is not trusted. */
  readonly withheld: readonly string[];
  /** What is written in the file, as it is. */
  readonly body: string;
  /**
   * The prompt with what its `!`command`` print, then with `$ARGUMENTS`, `$ARGUMENTS[0]`, `$0` …: arguments are text, whatever is
   * in them. A skill also says where it stands.
   */
  expand(args: string, shell: PromptShell, signal: AbortSignal): Promise<string>;
}

/** What the project and the user have written down for the agent. Read at the start, and again on request. */
export interface ProjectContext {
  /** The CLAUDE.md files with their imports, as one text for the model; empty if there are none. */
  readonly memory: string;
  readonly memoryFiles: readonly {
    readonly path: string;
    readonly type: "user" | "project" | "local";
    readonly content: string;
    /** The file that imports it; undefined if it stands for itself. */
    readonly parent?: string;
  }[];
  /** Subagents by name, the host's before the project's before the user's before our own. */
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly prompts: ReadonlyMap<string, PromptFile>;
  /** Output styles by name, with their text; `default` has none. */
  readonly outputStyles: ReadonlyMap<string, string>;
  readonly plugins: readonly Plugin[];
  /** Parts of files that are ignored because their folder is not trusted. */
  readonly withheld: readonly Withheld[];
}

/** What is known before anything was read. */
export const NO_CONTEXT: ProjectContext = {
  memory: "",
  memoryFiles: [],
  agents: new Map(),
  prompts: new Map(),
  outputStyles: BUILT_IN_STYLES,
  plugins: [],
  withheld: [],
};
