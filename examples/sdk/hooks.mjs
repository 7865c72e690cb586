import { options, sdk, show } from "./setup.mjs";

// A hook is called for every tool call, regardless of permissions, and may block it.
const guard = async (input, toolUseID) => {
  show({ hook: input.hook_event_name, tool: input.tool_name, toolUseID });
  if (input.tool_input.command !== "rm -rf .") return {};
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "not on this machine",
    },
  };
};
const log = async (input) => {
  show({ hook: input.hook_event_name });
  return {};
};

const hooks = {
  PreToolUse: [{ matcher: "Bash", hooks: [guard] }],
  PostToolUse: [{ hooks: [log] }],
  UserPromptSubmit: [{ hooks: [log] }],
  Stop: [{ hooks: [log] }],
};
const run = { prompt: "Clean up", options: options("hooks", { hooks, allowedTools: ["Bash"] }) };
for await (const message of sdk.query(run)) show(message);
