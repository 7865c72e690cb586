import { isAbsolute } from "node:path";
import { RuleBehavior as Behavior, type Rule, RuleSchema, RuleScope, type RuleService } from "@agentwire/api";
import { isJsonObject } from "@agentwire/protocol";
import { printRule, type RuleBehavior } from "@agentwire/protocol/permission";
import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { evaluate, type ScopedRule } from "../permission/engine.ts";
import { folderName } from "../permission/folder-name.ts";
import { ruleContext } from "../permission/real-paths.ts";
import { BEHAVIORS, behaviorOf } from "../permission/rule-book.ts";
import { callerOf } from "./caller.ts";

/** Lists, saves, removes and explains rules. */
export function ruleService(daemon: Daemon): ServiceImpl<typeof RuleService> {
  const { rules, registry, config } = daemon;
  const folderOf = async (sessionId: string) => (await registry.get(sessionId)).record.cwd;
  return {
    async listRules({ sessionId, scope }) {
      const found = sessionId === "" ? rules.all : rules.covering(sessionId, await folderOf(sessionId));
      const wanted = found.filter((rule) => scope === RuleScope.UNSPECIFIED || rule.scope === scope);
      return { rules: wanted.map(toApi) };
    },

    async setRule({ rule, behavior, scope, owner: given }, context) {
      const wanted = behaviorOf(behavior);
      if (!wanted) throw new DaemonError("INVALID_ARGUMENT", "behavior: choose allow, ask or deny");
      if (scope === RuleScope.UNSPECIFIED || scope === RuleScope.MANAGED)
        throw new DaemonError("INVALID_ARGUMENT", "scope: choose session, project or user");
      mustFit(scope, given);
      const owner = scope === RuleScope.PROJECT ? folderName(given) : given;
      if (scope === RuleScope.SESSION) await daemon.mustExist(owner);
      const kept = await rules.set({ rule, behavior: wanted, scope, owner, createdBy: callerOf(context) });
      await registry.reconsider();
      return { rule: toApi(kept) };
    },

    async removeRule({ id }, context) {
      if (!(await rules.remove(id, callerOf(context))))
        throw new DaemonError("INVALID_ARGUMENT", "no rule has that id");
      await registry.reconsider();
      return {};
    },

    async explain({ sessionId, toolName, inputJson, cwd: folder }) {
      const cwd = sessionId === "" ? folderName(folder || config.defaultFolder) : await folderOf(sessionId);
      const call = { toolName, input: inputOf(inputJson) };
      const covering = rules.covering(sessionId, cwd);
      const verdict = evaluate(call, covering, ruleContext(call, cwd, config.home));
      const [deciding] = verdict.rules;
      return {
        behavior: apiBehavior(verdict.behavior),
        reason: verdict.reason,
        ...(deciding && { rule: toApi(deciding) }),
        alsoMatching: verdict.outvoted.map(toApi),
      };
    },
  };
}

/** Throws if the owner of a rule does not fit its scope. */
function mustFit(scope: RuleScope, owner: string): void {
  if (scope === RuleScope.USER && owner !== "")
    throw new DaemonError("INVALID_ARGUMENT", "owner: leave it empty for a user rule");
  if (scope === RuleScope.PROJECT && !isAbsolute(owner))
    throw new DaemonError("INVALID_ARGUMENT", "owner: give the absolute path of the project");
}

function toApi({ id, rule, behavior, scope, owner, createdBy }: ScopedRule): Rule {
  return create(RuleSchema, {
    id,
    rule: printRule(rule),
    behavior: BEHAVIORS[behavior],
    scope,
    owner,
    createdBy,
  });
}

/** If no rule applies, the call is asked about. */
const apiBehavior = (behavior: RuleBehavior | "none") =>
  behavior === "none" ? Behavior.ASK : BEHAVIORS[behavior];

function inputOf(json: string) {
  if (json === "") return {};
  try {
    const value: unknown = JSON.parse(json);
    if (isJsonObject(value)) return value;
  } catch {}
  throw new DaemonError("INVALID_ARGUMENT", "input_json is not a JSON object");
}
