import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { isThisMachine } from "@agentwire/local/sandbox";
import {
  type GivenRule,
  judge,
  type PermissionMode,
  type PermissionUpdate,
} from "@agentwire/protocol/permission";
import { type Answerers, askFirst } from "./ask.ts";
import type { CanUseTool } from "./can-use-tool.ts";

/** The tool name in questions about connections, the same as the official agent's. */
const TOOL = "SandboxNetworkAccess";

/** What decides whether a command may connect. */
export interface HostTerms {
  readonly mode: PermissionMode;
  readonly rules: readonly GivenRule[];
  readonly cwd: string;
  readonly home: string;
}

/** Decides which hosts sandboxed commands may connect to. Asks about each host once. */
export class HostAccess {
  readonly #answers = new Map<string, Promise<boolean>>();

  /** Whether commands may connect to a host. */
  async allows(
    host: string,
    { mode, rules, cwd, home }: HostTerms,
    answerers: Answerers,
    apply: (updates: readonly PermissionUpdate[]) => Promise<void>,
  ): Promise<boolean> {
    const name = host.toLowerCase().replace(/\.$/, "");
    if (isThisMachine(name)) return false;
    const call = {
      toolName: "WebFetch",
      input: { url: `https://${isIP(name) === 6 ? `[${name}]` : name}/` },
    };
    const { behavior } = judge(call, rules, { cwd, home });
    if (behavior === "deny" || behavior === "allow") return behavior === "allow";
    if (mode === "bypassPermissions") return true;
    if (mode === "dontAsk") return false;
    const known = this.#answers.get(name) ?? ask(name, answerers, apply);
    this.#answers.set(name, known);
    return known;
  }
}

async function ask(
  host: string,
  answerers: Answerers,
  apply: (updates: readonly PermissionUpdate[]) => Promise<void>,
): Promise<boolean> {
  const request: CanUseTool = {
    tool_name: TOOL,
    display_name: TOOL,
    input: { host },
    description: `Allow network connection to ${host}?`,
    permission_suggestions: [
      {
        type: "addRules",
        rules: [{ toolName: "WebFetch", ruleContent: `domain:${host}` }],
        behavior: "allow",
        destination: "localSettings",
      },
    ],
    tool_use_id: randomUUID(),
  };
  const answer = await askFirst(answerers, request, new AbortController().signal);
  if (!("result" in answer) || answer.result.behavior !== "allow") return false;
  await apply(answer.result.updatedPermissions ?? []);
  return true;
}
