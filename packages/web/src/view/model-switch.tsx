import type { Session } from "@agentwire/api";
import type { App } from "../app.ts";
import { ModelPicker } from "./model-picker.tsx";

/** Changes the model of a session. */
export function ModelSwitch({ app, session }: { readonly app: App; readonly session: Session }) {
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
