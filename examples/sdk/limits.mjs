import { options, sdk, show } from "./setup.mjs";

// When a limit is reached, the loop receives a result as usual and then throws an error.
const run = { prompt: "Look around", options: options("limits", { maxTurns: 1, allowedTools: ["Bash"] }) };
try {
  for await (const message of sdk.query(run)) show(message);
} catch (error) {
  show({ failed: error.message.includes("error result") });
}
