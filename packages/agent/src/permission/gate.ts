import type { JsonObject } from "@agentwire/protocol";
import type { GivenRule, PermissionMode, PermissionUpdate } from "@agentwire/protocol/permission";
import type { Tool } from "../tools/tool.ts";
import type { Workspace, WorktreePlace } from "../tools/workspace.ts";

/** A call that wants to run. */
export interface PermissionQuestion {
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Where the call would run: relative paths start from its folder. */
  readonly workspace: Workspace;
  /** What PreToolUse hooks said: `allow` skips the question, `ask` forces it. */
  readonly hookDecision?: "allow" | "ask";
  readonly hookReason?: string;
  /** The subagent that calls. */
  readonly agentId?: string;
  /** The mode that the subagent asks for. */
  readonly mode?: string;
}

/** Who decided about a call, for `tool_result_meta`. */
export type DecisionSource = "config" | "user_temporary" | "user_permanent" | "user_reject" | "hook";

/** Whether a call may run, and who said so. */
export type PermissionDecision =
  | {
      readonly behavior: "allow";
      /** The input to run with: the host may have changed it. */
      readonly input: JsonObject;
      readonly source: DecisionSource;
      /** `rule`, `mode`, `subcommandResults`, `hook`, `other`. */
      readonly reasonType?: string;
      /** For people: the rule and where it stands, the mode, or the hook. */
      readonly reason?: string;
      /** Git must start no other program in it. */
      readonly quietGit?: true;
      /** It must run in the sandbox, whatever the settings say by then. */
      readonly sandboxed?: true;
    }
  | {
      readonly behavior: "deny";
      /** What the model is told. */
      readonly message: string;
      /** The host wants the turn to end. */
      readonly interrupt: boolean;
      /** Decided without asking: told to the host as `system/permission_denied`. */
      readonly automatic: boolean;
      readonly source: DecisionSource;
      /** What `tool_result_meta` gives as the reason that nothing ran. */
      readonly notRun?: "permission-rule" | "user-rejected";
      readonly reasonType?: string;
      readonly reason?: string;
    };

/** Decides about every tool call of a session. Fails closed. */
export interface Gate {
  readonly mode: PermissionMode;
  /** The modes that it can be switched to. */
  readonly modes: readonly PermissionMode[];
  /** Switches the mode; the error code of `set_permission_mode` if that is refused. */
  setMode(mode: string): { readonly code: string; readonly message: string } | undefined;
  /** Leaves a mode that the settings have come to forbid. */
  applySettings(): void;
  /** Goes back to the mode that was on before plan mode; where plan mode is off already, to none other. */
  leavePlanMode(): void;
  /** Tells of a file whether a rule closes it to reading, to somebody in a worktree or not; undefined if no rule closes any. */
  closing(worktree?: WorktreePlace): ((path: string) => boolean) | undefined;
  /** Tells tools of which the rules deny every call: such a tool is not offered at all. */
  forbidding(): (toolName: string) => boolean;
  /** Gives the tools of an MCP server a stricter mode where the session's would not ask about them; null takes it back. */
  overrideMode(server: string, mode: "default" | "auto" | null): void;
  /** Allows by rules what nothing forbids, until it is called again: a command that the user gives may come with some. */
  grant(rules: readonly string[]): void;
  /** Why a rule keeps a call from running without a question; undefined if none does. */
  ruledOut(question: PermissionQuestion): Promise<string | undefined>;
  decide(question: PermissionQuestion): Promise<PermissionDecision>;
  /** Whether the files of a call may be read without a question. Never rejects. */
  mayLook(question: PermissionQuestion): Promise<boolean>;
  /** Whether what runs in the sandbox may connect to a host; somebody is asked where nothing decides it. Never rejects. */
  allowsHost(host: string): Promise<boolean>;
  /** The rules that count. */
  readonly rules: readonly GivenRule[];
  /** Takes over what a host sent as `updatedPermissions`. */
  apply(updates: readonly PermissionUpdate[]): Promise<void>;
  /** Folders that count as the project, beside the one the session started in. */
  readonly directories: readonly string[];
  /** The state that `list_permission_rules` answers with. */
  describeRules(): JsonObject;
}
