import { type ExplainResponse, RuleBehavior, RuleService } from "@agentwire/api";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { type FormProblem, problemOf } from "../text/form-problem.ts";
import { BEHAVIOR_WORDS, MAIN_FIELDS, SCOPE_WORDS } from "../text/rule-words.ts";
import { FieldProblem } from "./field-problem.tsx";
import { useRecentFolders } from "./use-folder.ts";

const OTHER = "";

/** Asks what would happen with a call, without making it. */
export function RuleTrial({ app }: { readonly app: App }) {
  const folders = useRecentFolders(app);
  const [tool, setTool] = useState("Bash");
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [cwd, setCwd] = useState("");
  const [answer, setAnswer] = useState<ExplainResponse>();
  const [problem, setProblem] = useState<FormProblem>();
  const [field, label, example] = MAIN_FIELDS.get(tool) ?? ["", "Input as JSON", "{}"];
  const ask = async (event: Event) => {
    event.preventDefault();
    const inputJson = field === "" ? text : JSON.stringify({ [field]: text });
    try {
      const toolName = tool === OTHER ? name.trim() : tool;
      setAnswer(
        await app.client
          .connect(RuleService)
          .explain({ toolName, inputJson, cwd: cwd || (folders[0] ?? "") }),
      );
      setProblem(undefined);
    } catch (error) {
      setAnswer(undefined);
      setProblem(problemOf(error));
    }
  };
  return (
    <form class="form tool-form" aria-label="What would happen" onSubmit={(event) => void ask(event)}>
      <h2>What would happen with…</h2>
      <div class="fields">
        <label>
          Tool
          <select value={tool} onChange={(event) => setTool(event.currentTarget.value)}>
            {[...MAIN_FIELDS.keys()].map((one) => (
              <option key={one}>{one}</option>
            ))}
            <option value={OTHER}>another one</option>
          </select>
        </label>
        {tool === OTHER && (
          <label>
            Name of the tool
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
          In the folder
          <input
            list="rule-folders"
            value={cwd}
            placeholder={folders[0] ?? ""}
            spellcheck={false}
            onInput={(event) => setCwd(event.currentTarget.value)}
          />
        </label>
      </div>
      <FieldProblem id="trial-problem" text={problem?.text ?? ""} />
      <div role="status">{answer && <Answer answer={answer} />}</div>
      <p class="actions">
        <button type="submit">Find out</button>
      </p>
    </form>
  );
}

const ENDINGS: ReadonlyMap<RuleBehavior, readonly [words: string, tone: string]> = new Map([
  [RuleBehavior.ALLOW, ["It would be allowed", "good"]],
  [RuleBehavior.ASK, ["Someone would be asked", "warning"]],
  [RuleBehavior.DENY, ["It would be denied", "bad"]],
]);

function Answer({ answer: { behavior, rule, reason, alsoMatching } }: { readonly answer: ExplainResponse }) {
  const [words, tone] = ENDINGS.get(behavior) ?? ["Nothing is known about it", ""];
  return (
    <div class="panel trial-answer">
      <p>
        <strong class={`state ${tone}`}>{words}</strong>
        {rule ? (
          <>
            {" "}
            by <code>{rule.rule}</code> ({SCOPE_WORDS.get(rule.scope)})
          </>
        ) : (
          ": no rule is about it"
        )}
        .
      </p>
      {reason !== "" && <p class="why">{reason}</p>}
      {alsoMatching.length > 0 && (
        <p class="why">
          Also about it:{" "}
          {alsoMatching.map((one) => `${BEHAVIOR_WORDS.get(one.behavior)} ${one.rule}`).join(", ")}
        </p>
      )}
    </div>
  );
}
