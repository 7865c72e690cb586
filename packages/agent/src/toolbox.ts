import { currentToolName, parseRuleList } from "@agentwire/protocol";
import type { Config } from "./config.ts";
import type { ModelTool } from "./model/model.ts";
import type { Gate } from "./permission/gate.ts";
import { bashTool } from "./tools/bash/bash.ts";
import { fileTools } from "./tools/file-tools.ts";
import { askUserQuestion } from "./tools/session/ask-user-question.ts";
import { planModeTools } from "./tools/session/plan-mode.ts";
import { taskOutputTool } from "./tools/task-output.ts";
import { taskStopTool } from "./tools/task-stop.ts";
import type { Tool } from "./tools/tool.ts";
import { webFetchTool } from "./tools/web-fetch.ts";
import { webSearchDeclaration, webSearchTool } from "./tools/web-search.ts";

/** The tools of every session that need nothing of it. */
export function builtinTools(config: Config, gate: () => Gate): readonly Tool[] {
  const asking = config.hasHost ? [askUserQuestion, ...planModeTools(gate)] : [];
  const all = [
    bashTool(),
    ...fileTools(),
    ...asking,
    taskStopTool(),
    taskOutputTool(),
    webFetchTool(),
    webSearchTool(),
  ];
  return all.filter(isOffered(config));
}

/** Whether the model gets one of our own tools: `--tools` picks among them, `--disallowedTools` takes whole ones away. */
export function isOffered({ flags }: Config): (tool: Tool) => boolean {
  const wanted = flags.text("tools");
  const refused = new Set(flags.list("disallowedTools").flatMap(wholeTools));
  const names =
    wanted === undefined || wanted === "default"
      ? undefined
      : new Set(wanted.split(",").map((name) => currentToolName(name.trim())));
  return ({ name }) => !refused.has(name) && (!names || names.has(name));
}

/** The names of the tools that a list of rules speaks of as a whole. */
function wholeTools(list: string): readonly string[] {
  return parseRuleList(list).flatMap((read) =>
    read.ok && read.rule.content === undefined ? [read.rule.toolName] : [],
  );
}

/** The tools as the model gets them. */
export function toModelTools(tools: Iterable<Tool>): readonly ModelTool[] {
  return [...tools].map((tool) =>
    tool.name === "WebSearch"
      ? webSearchDeclaration
      : { name: tool.name, description: tool.description, input_schema: tool.inputSchema },
  );
}
