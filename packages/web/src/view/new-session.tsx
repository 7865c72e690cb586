import type { InspectFolderResponse } from "@agentwire/api";
import { useState } from "preact/hooks";
import { ModeOptions } from "./mode-select.tsx";
import { ModelPicker } from "./model-picker.tsx";
import type { ViewProps } from "./shell.tsx";
import { TrustQuestion } from "./trust-question.tsx";

/** Begins a session: where, with what, and what is asked first. */
export function NewSession({ app, state }: ViewProps) {
  const folders = [...new Set(state.sessions.map(({ cwd }) => cwd))];
  const agents = state.health?.agents.map(({ name }) => name) ?? [];
  const [cwd, setCwd] = useState(folders[0] ?? "");
  const [agent, setAgent] = useState("");
  const [model, setModel] = useState("");
  const [permissionMode, setMode] = useState("default");
  const [prompt, setPrompt] = useState("");
  const [isAlone, setAlone] = useState(false);
  const [worktreeName, setWorktreeName] = useState("");
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [isBusy, setBusy] = useState(false);
  const [strange, setStrange] = useState<InspectFolderResponse>();
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    // Without an answer the folder gets no trust; what is wrong with it is said by what follows.
    const found = await app.client.sessions.inspectFolder({ cwd }).catch(() => undefined);
    if (!found || found.trusted || found.withheld.length === 0) return start(false);
    setStrange(found);
    setBusy(false);
  };
  const start = async (trust: boolean) => {
    setBusy(true);
    const answer = await app.attempt(() =>
      app.client.sessions.createSession({
        trust,
        cwd,
        agent,
        model,
        permissionMode,
        prompt: prompt.trim(),
        idempotencyKey,
        ...(isAlone && { worktree: { name: worktreeName.trim() } }),
      }),
    );
    setBusy(false);
    if (answer?.session) app.go({ view: "session", id: answer.session.id });
  };
  if (strange) return <TrustQuestion found={strange} isBusy={isBusy} decide={(trust) => void start(trust)} />;
  return (
    <form class="page form" onSubmit={(event) => void submit(event)}>
      <h1>New session</h1>
      <label>
        What should it do?
        <textarea
          rows={4}
          value={prompt}
          placeholder="Can also be entered later"
          onInput={(event) => setPrompt(event.currentTarget.value)}
        />
      </label>
      <label>
        Folder
        <input
          list="folders"
          value={cwd}
          placeholder="The daemon's working directory"
          spellcheck={false}
          onInput={(event) => setCwd(event.currentTarget.value)}
        />
        <datalist id="folders">
          {folders.map((folder) => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
      </label>
      <div class="fields">
        <label>
          Agent
          <select value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
            {agents.map((name, index) => (
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
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={isAlone}
          onChange={(event) => setAlone(event.currentTarget.checked)}
        />
        Work in a git worktree of its own
      </label>
      {isAlone && (
        <label>
          Name of the worktree
          <input
            value={worktreeName}
            placeholder="Random"
            spellcheck={false}
            onInput={(event) => setWorktreeName(event.currentTarget.value)}
          />
        </label>
      )}
      <p class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          Start
        </button>
      </p>
    </form>
  );
}
