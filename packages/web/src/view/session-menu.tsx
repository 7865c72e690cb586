import type { Session } from "@agentwire/api";
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { chooseSendKey, type SendKey, sendKey } from "../preferences.ts";
import { titleOfSession } from "../text/words.ts";
import { Menu } from "./menu.tsx";
import { ModeSelect } from "./mode-select.tsx";
import { ModelPicker } from "./model-picker.tsx";

interface SessionMenuProps {
  readonly app: App;
  readonly session: Session;
  /** Whether no client holds the input. */
  readonly isOpenToAll: boolean;
  readonly onRename: () => void;
  readonly onContext: () => void;
  readonly onBudget: () => void;
  readonly onRaw: () => void;
  readonly onFind: () => void;
}

/** The menu of actions on a session. */
export function SessionMenu({
  app,
  session,
  isOpenToAll,
  onRename,
  onContext,
  onBudget,
  onRaw,
  onFind,
}: SessionMenuProps) {
  const { sessions } = app.client;
  const { id } = session;
  const fork = async () => {
    const answer = await app.attempt(() => sessions.forkSession({ sessionId: id }));
    if (answer?.session) app.go({ view: "session", id: answer.session.id });
  };
  const mark = async (marks: { readonly pinned?: boolean; readonly archived?: boolean }) => {
    const answer = await app.attempt(() => sessions.markSession({ sessionId: id, ...marks }));
    if (!answer?.session) return;
    app.session?.changed(answer.session);
    if (marks.archived)
      app.say(`Archived “${titleOfSession(session)}”.`, "quiet", {
        label: "Undo",
        run: () => void mark({ archived: false }),
      });
  };
  const save = async (format: "html" | "markdown") => {
    await app.attempt(async () => {
      const { saveSession } = await import("../session/export-session.ts");
      await saveSession(app.client, id, titleOfSession(session), format);
    });
  };
  const takeInput = async () => {
    const answer = await app.attempt(() => sessions.takeInput({ sessionId: id }));
    if (answer && !answer.taken) app.say(`${answer.holder} took the input first.`);
  };
  const restore = async () => {
    if (await app.attempt(() => sessions.restoreSession({ sessionId: id }))) app.go({ view: "session", id });
  };
  const remove = async () => {
    if (!(await app.attempt(() => sessions.deleteSession({ sessionId: id })))) return;
    app.go({ view: "home" });
    app.say(`Deleted “${titleOfSession(session)}”.`, "quiet", {
      label: "Undo",
      run: () => void restore(),
    });
  };
  return (
    <Menu label="Session actions">
      <button type="button" onClick={onFind}>
        Find
      </button>
      <button type="button" onClick={onRename}>
        Rename
      </button>
      <button type="button" onClick={() => void mark({ pinned: !session.pinned })}>
        {session.pinned ? "Unpin" : "Pin"}
      </button>
      <button type="button" onClick={() => void mark({ archived: !session.archivedAt })}>
        {session.archivedAt ? "Unarchive" : "Archive"}
      </button>
      <button type="button" onClick={() => void fork()}>
        Fork
      </button>
      {isOpenToAll && (
        <button type="button" onClick={() => void takeInput()}>
          Take the input
        </button>
      )}
      <button type="button" onClick={onContext}>
        Context
      </button>
      <button type="button" onClick={onBudget}>
        Budget
      </button>
      <button type="button" onClick={onRaw}>
        Raw events
      </button>
      <button type="button" onClick={() => void save("html")}>
        Save as HTML
      </button>
      <button type="button" onClick={() => void save("markdown")}>
        Save as Markdown
      </button>
      <button type="button" class="danger" onClick={() => void remove()}>
        Delete
      </button>
      <ModelSwitch app={app} session={session} />
      <EffortSelect app={app} session={session} />
      <ModeSelect app={app} session={session} />
      <SendKeySelect />
    </Menu>
  );
}

/** Changes the model of a session. */
function ModelSwitch({ app, session }: { readonly app: App; readonly session: Session }) {
  const change = async (model: string) => {
    const answer = await app.attempt(() => app.client.sessions.setModel({ sessionId: session.id, model }));
    if (answer?.session) app.session?.changed(answer.session);
  };
  return (
    <ModelPicker
      app={app}
      agent={session.agent}
      value={session.model}
      onChange={(model) => void change(model)}
    />
  );
}

/** The effort levels; the first leaves the choice to the agent. */
const EFFORTS = ["", "low", "medium", "high", "xhigh", "max"] as const;

/** Changes how much effort the model puts into its answers. */
function EffortSelect({ app, session }: { readonly app: App; readonly session: Session }) {
  const change = async (effort: string) => {
    const answer = await app.attempt(() => app.client.sessions.setEffort({ sessionId: session.id, effort }));
    if (answer?.session) app.session?.changed(answer.session);
  };
  return (
    <label class="mode">
      Effort
      <select value={session.effort} onChange={(event) => void change(event.currentTarget.value)}>
        {EFFORTS.map((effort) => (
          <option key={effort} value={effort}>
            {effort || "default"}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Chooses the key that sends a prompt on this device. */
function SendKeySelect() {
  const [key, setKey] = useState(sendKey);
  const choose = (chosen: SendKey) => {
    chooseSendKey(chosen);
    setKey(chosen);
  };
  return (
    <label class="mode">
      Send with
      <select
        value={key}
        onChange={(event) => choose(event.currentTarget.value === "ctrl-enter" ? "ctrl-enter" : "enter")}
      >
        <option value="enter">Enter (Shift+Enter: new line)</option>
        <option value="ctrl-enter">Ctrl+Enter (Enter: new line)</option>
      </select>
    </label>
  );
}
