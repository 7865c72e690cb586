import type { GivenRule, PermissionMode } from "@agentwire/protocol/permission";
import type { Placement, Sandbox } from "../sandbox/sandbox.ts";
import type { LocatedAccess, LocatedCall, LocatedPart } from "./call.ts";
import type { DecisionSource } from "./gate.ts";
import type { RulePlace } from "./rule-place.ts";

/** The result of rules, mode and tool for a call, before anyone is asked. */
export type Evaluation =
  | {
      readonly behavior: "allow";
      readonly source: DecisionSource;
      readonly reasonType?: string;
      readonly reason: string;
      /** Nobody was asked about a call of git, so it must start no other program. */
      readonly quietGit?: true;
      /** Nobody was asked about a command because it can't leave the sandbox. */
      readonly sandboxed?: true;
    }
  | {
      readonly behavior: "deny";
      readonly source: DecisionSource;
      readonly reasonType: "rule" | "subcommandResults";
      readonly reason: string;
      readonly notRun?: "permission-rule";
    }
  | AskEvaluation;

/** A question is needed, and why. */
export interface AskEvaluation {
  readonly behavior: "ask";
  readonly reasonType?:
    | "rule"
    | "hook"
    | "safetyCheck"
    | "mode"
    | "workingDir"
    | "subcommandResults"
    | "sandboxOverride"
    | "other";
  readonly reason?: string;
  /** Whether "always allow" must not be offered. */
  readonly isGrave?: true;
  /** The ask rule that wants it. */
  readonly rule?: GivenRule;
  /** The access that nothing allows. */
  readonly blocked?: LocatedAccess;
  /** The parts of a shell command that nothing allows. */
  readonly open?: readonly LocatedPart[];
}

/** What the sandbox means for a shell command. */
export interface SandboxConditions {
  readonly placement: Placement;
  /** Whether nobody has to be asked about what runs inside. */
  readonly autoAllow: boolean;
  /** Whether files that rules close can't be read inside. */
  readonly closesFiles: boolean;
}

/** Everything a call is judged by. */
export interface Conditions extends RulePlace {
  readonly mode: PermissionMode;
  readonly home: string;
  readonly hookDecision?: "allow" | "ask";
  readonly hookReason?: string;
  /** Where a shell command runs. */
  readonly sandbox?: SandboxConditions | undefined;
  /** A rule that closes something which the call would reach by reading a whole folder. */
  readonly closed?: GivenRule | undefined;
}

/** That a call may run. */
export function allowed(
  source: DecisionSource,
  reasonType: string | undefined,
  reason: string,
): Extract<Evaluation, { behavior: "allow" }> {
  return { behavior: "allow", source, reasonType, reason };
}

/** That a call may run because of the mode. */
export function allowedByMode(mode: PermissionMode): Evaluation {
  return allowed("config", "mode", `allowed by the mode ${mode}`);
}

/** A call of a file tool that leads out of the project, or to an unknown path. */
export function asksOutside(blocked: LocatedAccess | undefined): AskEvaluation {
  const reason = `${blocked?.path ?? "the path"} is outside the folders of the project`;
  return { behavior: "ask", reasonType: "workingDir", reason, blocked };
}

/** What the sandbox means for a call; undefined where it is no shell command, or there is no sandbox. */
export function sandboxConditions(
  { toolName, input }: LocatedCall,
  sandbox: Sandbox | undefined,
): SandboxConditions | undefined {
  if (toolName !== "Bash" || !sandbox) return undefined;
  const wantsOut = input.dangerouslyDisableSandbox === true;
  const placement = sandbox.place(String(input.command ?? ""), wantsOut);
  const { autoAllowBashIfSandboxed: autoAllow, filesystem } = sandbox.settings;
  return placement === "off" ? undefined : { placement, autoAllow, closesFiles: !filesystem.disabled };
}
