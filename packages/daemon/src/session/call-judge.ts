import type { PermissionHandler } from "@agentwire/host";
import type { JsonObject, RequestContext } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import { realPath } from "../permission/real-paths.ts";
import type { Deciders } from "./agent-run.ts";

/** How long a call waits for the answer to its question: as long as a question may stay open. */
const HELD_MS = 14 * 24 * 60 * 60_000;

/** Judges what an agent asks the daemon to do, before it is done: by the rules, and by people if the rules say so. */
export class CallJudge {
  readonly #cwd: string;
  readonly #permissions: PermissionHandler;
  readonly #beforeCall: ReturnType<Deciders["beforeCall"]>;

  /** `cwd` is the folder of the session. */
  constructor(cwd: string, { permissions, beforeCall }: Deciders) {
    this.#cwd = cwd;
    this.#permissions = permissions;
    this.#beforeCall = beforeCall(HELD_MS);
  }

  /** Throws unless the file may be used: in the session's folder if no rule forbids it, elsewhere if a rule or a person allows it. */
  async file(
    tool: "Read" | "Write",
    path: string,
    more: JsonObject | object,
    context: RequestContext,
  ): Promise<void> {
    const root = realPath(this.#cwd);
    const real = realPath(path);
    const input = { file_path: path, ...more };
    if (real === root || real.startsWith(`${root}/`)) await this.#check(tool, input, context);
    else await this.#ask(tool, input, real, context);
  }

  /** Throws if a rule or a person denies the command. */
  async command(command: string, context: RequestContext): Promise<void> {
    await this.#check("Bash", { command }, context);
  }

  async #check(tool_name: string, tool_input: JsonObject, context: RequestContext): Promise<void> {
    const input = {
      hook_event_name: "PreToolUse" as const,
      session_id: "",
      transcript_path: "",
      cwd: this.#cwd,
      tool_name,
      tool_input,
      tool_use_id: context.requestId,
    };
    const request = { subtype: "hook_callback" as const, callback_id: "rules", input };
    const { hookSpecificOutput: said } = (await this.#beforeCall(request, context)) as JsonObject & {
      readonly hookSpecificOutput?: {
        readonly permissionDecision?: string;
        readonly permissionDecisionReason?: string;
      };
    };
    if (said?.permissionDecision === "deny")
      throw new Error(said.permissionDecisionReason ?? "This call is denied.");
  }

  async #ask(
    tool_name: string,
    input: JsonObject,
    blocked_path: string,
    context: RequestContext,
  ): Promise<void> {
    const question = {
      subtype: "can_use_tool" as const,
      tool_name,
      input,
      tool_use_id: context.requestId,
      blocked_path,
      decision_reason: `${blocked_path} is outside the folder of the session.`,
      decision_reason_type: "workingDir" as const,
    };
    const answer = await Promise.resolve(this.#permissions(question, context)).catch((error) => ({
      behavior: "deny" as const,
      message: errorMessage(error),
    }));
    if (answer.behavior !== "allow") throw new Error(answer.message);
  }
}
