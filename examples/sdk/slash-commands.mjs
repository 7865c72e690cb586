import { options, sdk, show } from "./setup.mjs";

// Lists the slash commands, and sends one of them as a prompt.
const query = sdk.query({ prompt: "/context", options: options("slash-commands") });
show({ commands: (await query.supportedCommands()).map(({ name }) => name).sort() });
for await (const message of query) show(message);
