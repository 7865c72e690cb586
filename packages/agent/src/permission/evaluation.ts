import type { GivenRule, PermissionMode } from "@agentwire/protocol/permission";
import type { Placement, Sandbox } from "../sandbox/sandbox.ts";
import type { LocatedAccess, LocatedCall, LocatedPart } from "./call.ts";
import type { DecisionSource } from "./gate.ts";
import type { RulePlace } from "./rule-place.ts";

/** The decision of rules, mode and tool on a call before anyone is asked. */
export type Evaluation =
  | {
      readonly behavior: "allow";
      readonly source: DecisionSource;
      readonly reasonType?: string;
      readonly reason: string;
      /** A git call that runs without a question: it must not start other programs. */
      readonly quietGit?: true;
      /** The command runs without a question because it can't leave the sandbox. */
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
  /** The ask rule that requires it. */
  readonly rule?: GivenRule;
  /** The access that nothing allows. */
  readonly blocked?: LocatedAccess;
  /** The parts of a shell command that nothing allows. */
  readonly open?: readonly LocatedPart[];
}

/** How the sandbox affects a shell command. */
export interface SandboxConditions {
  readonly placement: Placement;
  /** Whether commands inside run without a question. */
  readonly autoAllow: boolean;
  /** Whether files that rules close can't be read inside. */
  readonly closesFiles: boolean;
}

/** Everything that a call is judged by. */
export interface Conditions extends RulePlace {
  readonly mode: PermissionMode;
  readonly home: string;
  readonly hookDecision?: "allow" | "ask";
  readonly hookReason?: string;
  /** Where a shell command runs. */
  readonly sandbox?: SandboxConditions | undefined;
  /** A rule that closes something the call would reach by reading a folder recursively. */
  readonly closed?: GivenRule | undefined;
}

/** The evaluation of a call that may run. */
export function allowed(
  source: DecisionSource,
  reasonType: string | undefined,
  reason: string,
): Extract<Evaluation, { behavior: "allow" }> {
  return { behavior: "allow", source, reasonType, reason };
}

/** The evaluation of a call that the mode allows. */
export function allowedByMode(mode: PermissionMode): Evaluation {
  return allowed("config", "mode", `allowed by the mode ${mode}`);
}

/** The evaluation of a file access outside the project or at an unknown path. */
export function asksOutside(blocked: LocatedAccess | undefined): AskEvaluation {
  const reason = `${blocked?.path ?? "the path"} is outside the folders of the project`;
  return { behavior: "ask", reasonType: "workingDir", reason, blocked };
}

/** How the sandbox affects a call; undefined for tools other than Bash, or without a sandbox. */
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
