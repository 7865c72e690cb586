/** Current tool names by the names they had before; rules and matchers written for those still apply. */
export const FORMER_TOOL_NAMES: ReadonlyMap<string, string> = new Map([
  ["Task", "Agent"],
  ["KillShell", "TaskStop"],
  ["KillBash", "TaskStop"],
  ["ListPeers", "ListAgents"],
  ["Brief", "SendUserMessage"],
  ["ListMcpResources", "ListMcpResourcesTool"],
  ["ReadMcpResource", "ReadMcpResourceTool"],
  ["ReadMcpResourceDir", "ReadMcpResourceDirTool"],
]);

/** The current name of a tool. */
export function currentToolName(name: string): string {
  return FORMER_TOOL_NAMES.get(name) ?? name;
}

/** All names of a tool, the current one first. */
export function toolNames(name: string): readonly string[] {
  const current = currentToolName(name);
  const former = [...FORMER_TOOL_NAMES].filter(([, successor]) => successor === current).map(([old]) => old);
  return [current, ...former];
}
