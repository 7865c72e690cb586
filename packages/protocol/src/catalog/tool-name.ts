/** What a tool is called today, by the names it had before; rules and matchers written for those still hold. */
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

/** The present name of a tool. */
export function currentToolName(name: string): string {
  return FORMER_TOOL_NAMES.get(name) ?? name;
}

/** All names of a tool, the present one first. */
export function toolNames(name: string): readonly string[] {
  const current = currentToolName(name);
  const former = [...FORMER_TOOL_NAMES].filter(([, successor]) => successor === current).map(([old]) => old);
  return [current, ...former];
}
