import type { Session } from "@agentwire/api";
import type { App } from "../app.ts";

/** Modes that sessions can have, and what they mean. */
const MODES = [
  ["default", "ask before acting"],
  ["acceptEdits", "edit files without asking"],
  ["plan", "plan only"],
  ["bypassPermissions", "never ask"],
] as const;

/** The modes that people can choose from. */
export function ModeOptions() {
  return MODES.map(([mode, meaning]) => (
    <option key={mode} value={mode}>
      {mode}: {meaning}
    </option>
  ));
}

/** Changes how much a session may do unasked. */
export function ModeSelect({ app, session }: { readonly app: App; readonly session: Session }) {
  const change = async (permissionMode: string) => {
    const answer = await app.attempt(() =>
      app.client.sessions.setMode({ sessionId: session.id, permissionMode }),
    );
    if (answer?.session) app.session?.changed(answer.session);
  };
  const isKnown = MODES.some(([mode]) => mode === session.permissionMode);
  return (
    <label class="mode">
      Mode
      <select value={session.permissionMode} onChange={(event) => void change(event.currentTarget.value)}>
        {!isKnown && <option value={session.permissionMode}>{session.permissionMode}</option>}
        <ModeOptions />
      </select>
    </label>
  );
}
