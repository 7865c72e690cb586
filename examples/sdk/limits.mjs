import { options, sdk, show } from "./setup.mjs";

// A limit that is reached is a result like any other, and the error that ends the loop.
const run = { prompt: "Look around", options: options("limits", { maxTurns: 1, allowedTools: ["Bash"] }) };
try {
  for await (const message of sdk.query(run)) show(message);
} catch (error) {
  show({ failed: error.message.includes("error result") });
}
