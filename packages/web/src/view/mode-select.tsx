import type { Session } from "@agentwire/api";
import type { App } from "../app.ts";

/** The permission modes and their meanings. */
const MODES = [
  ["default", "ask before acting"],
  ["acceptEdits", "edit files without asking"],
  ["plan", "plan only"],
  ["bypassPermissions", "never ask"],
] as const;

/** The options of a mode selector. */
export function ModeOptions() {
  return MODES.map(([mode, meaning]) => (
    <option key={mode} value={mode}>
      {mode}: {meaning}
    </option>
  ));
}

/** Changes the permission mode of a session. */
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
