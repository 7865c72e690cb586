import { options, sdk, show } from "./setup.mjs";

// What can be typed after a slash, and one of it sent as a prompt.
const query = sdk.query({ prompt: "/context", options: options("slash-commands") });
show({ commands: (await query.supportedCommands()).map(({ name }) => name).sort() });
for await (const message of query) show(message);
