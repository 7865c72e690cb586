import { type AgentStatus, CompatibilityLevel, type InspectFolderResponse } from "@agentwire/api";
import { useEffect, useRef, useState } from "preact/hooks";
import { isSignedOut } from "../client.ts";
import { type FormProblem, problemOf } from "../text/form-problem.ts";
import { AS_IT_IS, BranchChoice } from "./branch-choice.tsx";
import { FieldProblem } from "./field-problem.tsx";
import { FolderPicker } from "./folder-picker.tsx";
import { ModeOptions } from "./mode-select.tsx";
import { ModelPicker } from "./model-picker.tsx";
import type { ViewProps } from "./shell.tsx";
import { TrustQuestion } from "./trust-question.tsx";
import { useFolder } from "./use-folder.ts";

/** The form for a new session. */
export function NewSession({ app, state }: ViewProps) {
  const agents = state.health?.agents ?? [];
  const [cwd, setCwd] = useState(() => folderOfLast(state));
  const [agent, setAgent] = useState("");
  const [model, setModel] = useState("");
  const [permissionMode, setMode] = useState("default");
  const [effort, setEffort] = useState("");
  const [budget, setBudget] = useState("");
  const [prompt, setPrompt] = useState("");
  const [place, setPlace] = useState(AS_IT_IS);
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<FormProblem>();
  const [strange, setStrange] = useState<InspectFolderResponse>();
  const form = useRef<HTMLFormElement>(null);
  const seen = useFolder(app, cwd);
  const about = (...fields: readonly string[]) =>
    problem && fields.includes(problem.field) ? problem.text : "";
  // The error may be above the visible part of the form.
  useEffect(
    () => form.current?.querySelector(".field-problem")?.scrollIntoView({ block: "center" }),
    [problem],
  );
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    // If this fails, the folder is not trusted; creating the session then reports the error.
    const found = await app.client.sessions.inspectFolder({ cwd }).catch(() => undefined);
    if (!found || found.trusted || found.withheld.length === 0) return start(false);
    setStrange(found);
    setBusy(false);
  };
  const create = async (trust: boolean) => {
    const { sessions, usage } = app.client;
    const { isAlone, name, branch } = place;
    const { session } = await sessions.createSession({
      ...{ trust, cwd, agent, model, permissionMode, effort, idempotencyKey },
      ...(isAlone ? { worktree: { name: name.trim(), base: branch } } : { branch: branch.trim() }),
    });
    const sessionId = session?.id ?? "";
    // Set before the first prompt, so that the limit applies to the first turn.
    if (budget.trim() !== "") await usage.setBudget({ sessionId, limitUsd: Number(budget) });
    const text = prompt.trim();
    if (text !== "") await sessions.sendPrompt({ sessionId, text, idempotencyKey });
    return sessionId;
  };
  const start = async (trust: boolean) => {
    setBusy(true);
    try {
      app.go({ view: "session", id: await create(trust) });
    } catch (error) {
      setStrange(undefined);
      setProblem(problemOf(error));
      if (isSignedOut(error)) void app.refresh();
    }
    setBusy(false);
  };
  if (strange) return <TrustQuestion found={strange} isBusy={isBusy} decide={(trust) => void start(trust)} />;
  return (
    <form ref={form} class="page form" onSubmit={(event) => void submit(event)}>
      <h1>New session</h1>
      <label>
        What should the agent do?
        <textarea
          rows={4}
          value={prompt}
          placeholder="Optional: you can also send it later"
          onInput={(event) => setPrompt(event.currentTarget.value)}
        />
      </label>
      <FolderPicker app={app} value={cwd} seen={seen} problem={about("cwd", "path")} onChange={setCwd} />
      <BranchChoice
        repository={seen?.listing?.repository}
        value={place}
        problem={about("branch", "worktree")}
        onChange={setPlace}
      />
      <div class="fields">
        <label>
          Agent
          <select value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
            {agents.map(({ name }, index) => (
              <option key={name} value={index === 0 ? "" : name}>
                {index === 0 ? `${name} (default)` : name}
              </option>
            ))}
          </select>
        </label>
        <ModelPicker app={app} agent={agent} value={model} onChange={setModel} onLeave={setModel} />
        <label>
          Mode
          <select value={permissionMode} onChange={(event) => setMode(event.currentTarget.value)}>
            <ModeOptions />
          </select>
        </label>
        <label>
          Effort
          <select value={effort} onChange={(event) => setEffort(event.currentTarget.value)}>
            <option value="">Agent's default</option>
            {EFFORTS.map((level) => (
              <option key={level}>{level}</option>
            ))}
          </select>
        </label>
        <label>
          Budget in dollars
          <input
            type="number"
            inputMode="decimal"
            min="0"
            step="any"
            value={budget}
            placeholder="From settings.json"
            onInput={(event) => setBudget(event.currentTarget.value)}
          />
        </label>
      </div>
      <FieldProblem
        id="agent-problem"
        text={about("agent", "model", "permission_mode") || unusable(agents, agent)}
      />
      <FieldProblem id="form-problem" text={isPlaced(problem) ? "" : (problem?.text ?? "")} />
      <p class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? "Starting…" : "Start"}
        </button>
      </p>
    </form>
  );
}

const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

/** Fields that show their own errors; other errors are shown above the button. */
const PLACED: ReadonlySet<string> = new Set([
  "cwd",
  "path",
  "branch",
  "worktree",
  "agent",
  "model",
  "permission_mode",
]);
const isPlaced = (problem: FormProblem | undefined) => problem !== undefined && PLACED.has(problem.field);

/** The default folder: that of the last session, or its checkout if it ran in a worktree. */
function folderOfLast({ sessions: [last] }: ViewProps["state"]): string {
  return last?.worktree?.checkout || last?.cwd || "";
}

/** Why the chosen agent can't be used; empty if it can. */
function unusable(agents: readonly AgentStatus[], chosen: string): string {
  const status = chosen === "" ? agents[0] : agents.find(({ name }) => name === chosen);
  const { level, message = "" } = status?.claudeCode ?? {};
  return level === CompatibilityLevel.INCOMPATIBLE ? `${status?.name} can't be used: ${message}` : "";
}
