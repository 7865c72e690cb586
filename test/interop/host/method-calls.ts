import type { Call } from "./record.ts";

/** One call for each method of a query. */
export const METHOD_CALLS: Readonly<Record<string, Call>> = {
  interrupt: { drive: (query) => query.interrupt() },
  setPermissionMode: { drive: (query) => query.setPermissionMode("acceptEdits") },
  setMcpPermissionModeOverride: { drive: (query) => query.setMcpPermissionModeOverride("s", "default") },
  setModel: { drive: (query) => query.setModel("m") },
  "setModel to the default": { drive: (query) => query.setModel() },
  setMaxThinkingTokens: { drive: (query) => query.setMaxThinkingTokens(1000, "omitted") },
  "setMaxThinkingTokens to the default": { drive: (query) => query.setMaxThinkingTokens(null) },
  applyFlagSettings: { drive: (query) => query.applyFlagSettings({ model: "m", permissions: null }) },
  updateSettings: { drive: (query) => query.updateSettings("localSettings", { outputStyle: "x" }) },
  initializationResult: { drive: (query) => query.initializationResult() },
  reinitialize: { drive: async (query) => [await query.initializationResult(), await query.reinitialize()] },
  supportedCommands: { drive: (query) => query.supportedCommands() },
  supportedModels: { drive: (query) => query.supportedModels() },
  supportedAgents: { drive: (query) => query.supportedAgents() },
  accountInfo: { drive: (query) => query.accountInfo() },
  mcpServerStatus: { drive: (query) => query.mcpServerStatus() },
  getContextUsage: { drive: async (query) => void (await query.getContextUsage({ detail: "summary" })) },
  usage: {
    drive: async (query) =>
      void (await query.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({ skipBehaviors: true })),
  },
  readFile: { drive: (query) => query.readFile("f", { maxBytes: 10, encoding: "base64" }) },
  reloadPlugins: {
    drive: (query) =>
      query.reloadPlugins({
        holdOnCacheImpact: true,
        refuseIfBusy: true,
        addPlugins: [{ type: "local", path: "/p" }],
      }),
  },
  reloadSkills: { drive: (query) => query.reloadSkills() },
  reloadOutputStyles: { drive: (query) => query.reloadOutputStyles() },
  rewindFiles: { drive: (query) => query.rewindFiles("u", { dryRun: true }) },
  seedReadState: { drive: (query) => query.seedReadState("/f", 5) },
  reconnectMcpServer: { drive: (query) => query.reconnectMcpServer("s") },
  toggleMcpServer: { drive: (query) => query.toggleMcpServer("s", false) },
  readMcpResource: { drive: (query) => query.readMcpResource("s", "ui://x") },
  setMcpServers: {
    drive: (query, sdk) =>
      query.setMcpServers({
        here: sdk.createSdkMcpServer({ name: "here", tools: [] }),
        there: { command: "true" },
      }),
  },
  stopTask: { drive: (query) => query.stopTask("t") },
  backgroundTasks: { drive: (query) => query.backgroundTasks("t") },
};
