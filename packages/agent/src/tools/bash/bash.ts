import { refused } from "../outcome.ts";
import type { Tool } from "../tool.ts";
import { backgroundOutcome, startBackgroundCommand } from "./background.ts";
import { runInForeground } from "./foreground.ts";
import { bashInputSchema, readBashInput, refuseSleep } from "./input.ts";
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
    show: ({ stdout, stderr }) =>
      [stdout, stderr].filter((text) => typeof text === "string" && text !== "").join("\n"),
    run: async (input, context) => {
      context.signal.throwIfAborted();
      const call = readBashInput(input);
      if (call.isBackground) return backgroundOutcome(await startBackgroundCommand(call, context));
      const refusal = refuseSleep(call.command);
      return refusal === undefined ? runInForeground(call, context) : refused(refusal);
    },
  };
}
