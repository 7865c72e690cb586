import { options, sdk, show } from "./setup.mjs";

// The host decides about each call that needs a permission.
const canUseTool = async (tool, input, { toolUseID }) => {
  show({ asked: tool, input, toolUseID });
  return input.command.startsWith("touch")
    ? { behavior: "allow", updatedInput: input }
    : { behavior: "deny", message: "only touch is allowed here" };
};

const run = { prompt: "Make a file, then remove it", options: options("can-use-tool", { canUseTool }) };
for await (const message of sdk.query(run)) show(message);
