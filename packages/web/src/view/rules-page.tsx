import { type Rule, RuleBehavior, RuleScope, RuleService } from "@agentwire/api";
import { ruleHint } from "@agentwire/view/text";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { BEHAVIOR_WORDS, SCOPE_WORDS } from "../text/rule-words.ts";
import { RuleTrial } from "./rule-trial.tsx";
import type { ViewProps } from "./shell.tsx";
import { ADD, problemId, ToolForm, useSubmission } from "./tool-form.tsx";
import { ToolsNav } from "./tools-nav.tsx";
import { useRecentFolders } from "./use-folder.ts";
import { useLoaded } from "./use-loaded.ts";

/** Lists rules, adds and removes them, and shows what they would decide about a call. */
export function RulesPage({ app }: ViewProps) {
  const rules = app.client.connect(RuleService);
  const { value, problem, reload } = useLoaded(app, "rules", () => rules.listRules({}));
  const remove = async (id: string) => {
    if (await app.attempt(() => rules.removeRule({ id }))) reload();
  };
  return (
    <div class="page">
      <ToolsNav at="rules" />
      <h1>Rules</h1>
      <p class="why">
        Rules decide tool calls before anyone is asked. Deny rules override ask rules, and ask rules override
        allow rules.
      </p>
      {problem !== "" && <p class="banner error">{problem}</p>}
      {value === undefined && problem === "" && <p class="why">Loading…</p>}
      {value?.rules.length === 0 && (
        <p class="panel empty-panel">No rules yet. Agents ask before doing anything that could cause harm.</p>
      )}
      {value && value.rules.length > 0 && (
        <ul class="panel rows" aria-label="Rules">
          {value.rules.map((rule) => (
            <RuleRow key={rule.id} rule={rule} onRemove={() => void remove(rule.id)} />
          ))}
        </ul>
      )}
      <RuleForm app={app} onAdded={reload} />
      <RuleTrial app={app} />
    </div>
  );
}

const TONES: ReadonlyMap<RuleBehavior, string> = new Map([
  [RuleBehavior.ALLOW, "good"],
  [RuleBehavior.ASK, "warning"],
  [RuleBehavior.DENY, "bad"],
]);

function RuleRow({ rule, onRemove }: { readonly rule: Rule; readonly onRemove: () => void }) {
  const isManaged = rule.scope === RuleScope.MANAGED;
  return (
    <li class="row">
      <span class={`tag ${TONES.get(rule.behavior) ?? ""}`}>{BEHAVIOR_WORDS.get(rule.behavior)}</span>
      <code class="row-main">{rule.rule}</code>
      <span class="row-about">
        {SCOPE_WORDS.get(rule.scope)}
        {rule.owner !== "" && ` · ${rule.owner}`}
        {rule.createdBy !== "" && ` · by ${rule.createdBy}`}
      </span>
      {!isManaged && (
        <button
          type="button"
          class="small quiet danger"
          onClick={onRemove}
          aria-label={`Remove ${rule.rule}`}
        >
          Remove
        </button>
      )}
    </li>
  );
}

function RuleForm({ app, onAdded }: { readonly app: App; readonly onAdded: () => void }) {
  const folders = useRecentFolders(app);
  const [rule, setRule] = useState("");
  const [behavior, setBehavior] = useState(RuleBehavior.ALLOW);
  const [scope, setScope] = useState(RuleScope.USER);
  const [folder, setFolder] = useState("");
  const [hint, setHint] = useState<string>();
  const submission = useSubmission(async () => {
    const owner = scope === RuleScope.PROJECT ? folder || (folders[0] ?? "") : "";
    await app.client.connect(RuleService).setRule({ rule: rule.trim(), behavior, scope, owner });
    setHint(ruleHint(rule));
    setRule("");
    onAdded();
    return undefined;
  });
  return (
    <ToolForm
      {...submission}
      label="New rule"
      title="New rule"
      action={ADD}
      answer={hint === undefined ? null : <p class="why">Added, but check the name: {hint}</p>}
    >
      <div class="fields">
        <label>
          Rule
          <input
            required
            value={rule}
            placeholder="Bash(npm test:*)"
            spellcheck={false}
            {...(submission.problem && { "aria-invalid": true, "aria-describedby": problemId("New rule") })}
            onInput={(event) => setRule(event.currentTarget.value)}
          />
        </label>
        <label>
          Action
          <select value={behavior} onChange={(event) => setBehavior(Number(event.currentTarget.value))}>
            {[...BEHAVIOR_WORDS].map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label>
          Applies to
          <select value={scope} onChange={(event) => setScope(Number(event.currentTarget.value))}>
            <option value={RuleScope.USER}>all folders</option>
            <option value={RuleScope.PROJECT}>one folder</option>
          </select>
        </label>
        {scope === RuleScope.PROJECT && (
          <label>
            Folder
            <input
              list="rule-folders"
              value={folder}
              placeholder={folders[0] ?? "/path/to/project"}
              spellcheck={false}
              onInput={(event) => setFolder(event.currentTarget.value)}
            />
            <datalist id="rule-folders">
              {folders.map((path) => (
                <option key={path} value={path} />
              ))}
            </datalist>
          </label>
        )}
      </div>
    </ToolForm>
  );
}
