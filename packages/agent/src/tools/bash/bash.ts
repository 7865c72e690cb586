import { startBackgroundCommand } from "../../tasks/background-command.ts";
import type { Tool, ToolContext, ToolOutcome } from "../tool.ts";
import { refuseSleep } from "./blocked-sleep.ts";
import { runInForeground } from "./foreground.ts";
import { type BashInput, bashInputSchema, readBashInput } from "./input.ts";
import { isReadOnlyCommand } from "./read-only.ts";

const DESCRIPTION = `Runs a shell command and returns what it prints.

The command starts in the working folder; a \`cd\` inside the project carries over to later calls, variables and functions don't.
It gets no input, so don't run anything that asks questions. Output of more than 30,000 characters goes to a file of which you see the beginning.
For servers and whatever else takes long use run_in_background: you are told when the command ends, and can read its output file before that.
To read, search and edit files use the tools made for it. Quote paths with spaces.`;

/** The tool that runs shell commands. */
export function bashTool(): Tool {
  return {
    name: "Bash",
    description: DESCRIPTION,
    inputSchema: bashInputSchema,
    isReadOnly: (input) => {
      const { command, isBackground } = readBashInput(input);
      return !isBackground && isReadOnlyCommand(command);
    },
    describe: ({ description }) =>
      typeof description === "string" && description !== "" ? description : "Run a shell command",
    run: async (input, context) => {
      context.signal.throwIfAborted();
      const call = readBashInput(input);
      if (call.isBackground) return runInBackground(call, context);
      const refusal = refuseSleep(call.command);
      if (refusal === undefined) return runInForeground(call, context);
      return {
        content: `<tool_use_error>${refusal}</tool_use_error>`,
        isError: true,
        data: `Error: ${refusal}`,
      };
    },
  };
}

async function runInBackground(call: BashInput, context: ToolContext): Promise<ToolOutcome> {
  const { id, outputFile } = await startBackgroundCommand(call, context);
  return {
    content:
      `The command runs in the background with ID: ${id}. Its output goes to: ${outputFile}. ` +
      "You are told when it ends; until then read that file to see how far it is.",
    data: {
      stdout: "",
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      backgroundTaskId: id,
    },
  };
}
