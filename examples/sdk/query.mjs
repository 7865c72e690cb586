import { options, sdk, show } from "./setup.mjs";

// One prompt, one turn: the loop ends when the agent exits.
for await (const message of sdk.query({ prompt: "Say hello", options: options("query") })) show(message);
