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
  /** Where the call would run: relative paths are resolved against its folder. */
  readonly workspace: Workspace;
  /** What PreToolUse hooks decided: `allow` skips the question, `ask` forces it. */
  readonly hookDecision?: "allow" | "ask";
  readonly hookReason?: string;
  /** The subagent that makes the call. */
  readonly agentId?: string;
  /** The mode that the subagent's definition asks for. */
  readonly mode?: string;
}

/** Who decided the call, for `tool_result_meta`. */
export type DecisionSource = "config" | "user_temporary" | "user_permanent" | "user_reject" | "hook";

/** Whether a call may run, and who decided it. */
export type PermissionDecision =
  | {
      readonly behavior: "allow";
      /** The input to run with: the host may have changed it. */
      readonly input: JsonObject;
      readonly source: DecisionSource;
      /** `rule`, `mode`, `subcommandResults`, `hook`, `other`. */
      readonly reasonType?: string;
      /** For people: the rule and where it comes from, the mode, or the hook. */
      readonly reason?: string;
      /** Git must not start other programs in it. */
      readonly quietGit?: true;
      /** It must run in the sandbox, even if the settings have changed since. */
      readonly sandboxed?: true;
    }
  | {
      readonly behavior: "deny";
      /** The text for the model. */
      readonly message: string;
      /** The host wants the turn to end. */
      readonly interrupt: boolean;
      /** Decided without asking: reported to the host as `system/permission_denied`. */
      readonly automatic: boolean;
      readonly source: DecisionSource;
      /** The reason in `tool_result_meta` for not running the call. */
      readonly notRun?: "permission-rule" | "user-rejected";
      readonly reasonType?: string;
      readonly reason?: string;
    };

/** Decides on every tool call of a session. Fails closed. */
export interface Gate {
  readonly mode: PermissionMode;
  /** The available modes. */
  readonly modes: readonly PermissionMode[];
  /** Switches the mode; the error code of `set_permission_mode` if that is refused. */
  setMode(mode: string): { readonly code: string; readonly message: string } | undefined;
  /** Leaves the current mode if the settings now forbid it. */
  applySettings(): void;
  /** Restores the mode from before plan mode; does nothing if plan mode is already off. */
  leavePlanMode(): void;
  /**
   * Returns a check of whether a rule closes a file to reading, in a worktree if one is given; undefined if no rule closes any.
   */
  closing(worktree?: WorktreePlace): ((path: string) => boolean) | undefined;
  /** Returns a check of whether the rules deny every call of a tool: such a tool is not offered at all. */
  forbidding(): (toolName: string) => boolean;
  /** Gives the tools of an MCP server a stricter mode if the session's mode would not ask about them; null removes it. */
  overrideMode(server: string, mode: "default" | "auto" | null): void;
  /**
   * Adds allow rules, for example from a slash command, replacing those of the previous call. Deny and ask rules still take
   * precedence.
   */
  grant(rules: readonly string[]): void;
  /** Why a rule keeps a call from running without a question; undefined if no rule does. */
  ruledOut(question: PermissionQuestion): Promise<string | undefined>;
  decide(question: PermissionQuestion): Promise<PermissionDecision>;
  /** Whether the files of a call may be read without a question. Never rejects. */
  mayLook(question: PermissionQuestion): Promise<boolean>;
  /** Whether commands in the sandbox may connect to a host; asks if no rule or mode decides it. Never rejects. */
  allowsHost(host: string): Promise<boolean>;
  /** The rules in effect. */
  readonly rules: readonly GivenRule[];
  /** Applies the `updatedPermissions` that a host sent. */
  apply(updates: readonly PermissionUpdate[]): Promise<void>;
  /** Folders that count as part of the project, besides the one the session started in. */
  readonly directories: readonly string[];
  /** The answer to `list_permission_rules`. */
  describeRules(): JsonObject;
}
