import { options, project, sdk, show } from "./setup.mjs";

// Lists the sessions of a project, and the messages of one of them.
for await (const message of sdk.query({ prompt: "Remember me", options: options("list-sessions") }))
  show(message);
const [session] = await sdk.listSessions({ dir: project });
show({ summary: session.summary, firstPrompt: session.firstPrompt });
const messages = await sdk.getSessionMessages(session.sessionId, { dir: project });
show({ messages: messages.map(({ type, message }) => ({ type, content: message.content })) });
await sdk.renameSession(session.sessionId, "The one to remember", { dir: project });
const [renamed] = await sdk.listSessions({ dir: project });
show({ summary: renamed.summary });
