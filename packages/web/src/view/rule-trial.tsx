import { type ExplainResponse, RuleBehavior, RuleService } from "@agentwire/api";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { BEHAVIOR_WORDS, MAIN_FIELDS, SCOPE_WORDS } from "../text/rule-words.ts";
import { FIND_OUT, ToolForm, useSubmission } from "./tool-form.tsx";
import { useRecentFolders } from "./use-folder.ts";

const OTHER = "";

/** Shows what the rules would decide about a call, without making it. */
export function RuleTrial({ app }: { readonly app: App }) {
  const folders = useRecentFolders(app);
  const [tool, setTool] = useState("Bash");
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [cwd, setCwd] = useState("");
  const [answer, setAnswer] = useState<ExplainResponse>();
  const [field, label, example] = MAIN_FIELDS.get(tool) ?? ["", "Input as JSON", "{}"];
  const submission = useSubmission(async () => {
    setAnswer(undefined);
    const inputJson = field === "" ? text : JSON.stringify({ [field]: text });
    const toolName = tool === OTHER ? name.trim() : tool;
    const rules = app.client.connect(RuleService);
    setAnswer(await rules.explain({ toolName, inputJson, cwd: cwd || (folders[0] ?? "") }));
    return undefined;
  });
  return (
    <ToolForm
      {...submission}
      label="What would happen to a call"
      title="What would happen to a call?"
      action={FIND_OUT}
      answer={answer ? <Answer answer={answer} /> : null}
    >
      <div class="fields">
        <label>
          Tool
          <select value={tool} onChange={(event) => setTool(event.currentTarget.value)}>
            {[...MAIN_FIELDS.keys()].map((one) => (
              <option key={one}>{one}</option>
            ))}
            <option value={OTHER}>Other…</option>
          </select>
        </label>
        {tool === OTHER && (
          <label>
            Tool name
            <input
              required
              value={name}
              placeholder="mcp__server__tool"
              spellcheck={false}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
        )}
        <label>
          {label}
          <input
            required={tool !== OTHER}
            value={text}
            placeholder={example}
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label>
          In folder
          <input
            list="rule-folders"
            value={cwd}
            placeholder={folders[0] ?? ""}
            spellcheck={false}
            onInput={(event) => setCwd(event.currentTarget.value)}
          />
        </label>
      </div>
    </ToolForm>
  );
}

const ENDINGS: ReadonlyMap<RuleBehavior, readonly [words: string, tone: string]> = new Map([
  [RuleBehavior.ALLOW, ["It would be allowed", "good"]],
  [RuleBehavior.ASK, ["You would be asked", "warning"]],
  [RuleBehavior.DENY, ["It would be denied", "bad"]],
]);

function Answer({ answer: { behavior, rule, reason, alsoMatching } }: { readonly answer: ExplainResponse }) {
  const [words, tone] = ENDINGS.get(behavior) ?? ["Unknown", ""];
  return (
    <div class="panel trial-answer">
      <p>
        <strong class={`state ${tone}`}>{words}</strong>
        {rule ? (
          <>
            : rule <code>{rule.rule}</code> ({SCOPE_WORDS.get(rule.scope)})
          </>
        ) : (
          ": no rule matches"
        )}
        .
      </p>
      {reason !== "" && <p class="why">{reason}</p>}
      {alsoMatching.length > 0 && (
        <p class="why">
          Also matching:{" "}
          {alsoMatching.map((one) => `${BEHAVIOR_WORDS.get(one.behavior)} ${one.rule}`).join(", ")}
        </p>
      )}
    </div>
  );
}
