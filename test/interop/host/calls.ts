import { z } from "../official-sdk.ts";
import type { Call, Sdk } from "./record.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const only = (
  options: NonNullable<Call["options"]> extends (...args: never) => infer O ? O : never,
): Call => ({
  options: () => options,
});
const asks = (...requests: readonly object[]) => JSON.stringify({ asks: requests });
const canUse = {
  subtype: "can_use_tool",
  tool_name: "Bash",
  input: { command: "ls" },
  tool_use_id: "toolu_1",
};

const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
const add = (input: object) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "add", arguments: input },
});

function calculator(sdk: Sdk) {
  return sdk.createSdkMcpServer({
    name: "calc",
    timeout: 5000,
    instructions: "Counts.",
    tools: [
      sdk.tool(
        "add",
        "Adds",
        { a: z.number(), b: z.number().optional() },
        async ({ a, b }) => ({ content: [{ type: "text", text: String(a + (b ?? 0)) }] }),
        { searchHint: "sum", alwaysLoad: true, annotations: { readOnlyHint: true } },
      ),
    ],
  });
}

/** One call for each option and each method of the official SDK, by its name. */
export const CALLS: Readonly<Record<string, Call>> = {
  "no options": {},
  "no options, as a process": { spawned: true },
  additionalDirectories: only({ additionalDirectories: ["/a", "/b c"] }),
  agent: only({ agent: "reviewer" }),
  agents: only({
    agents: { reviewer: { description: "Reviews", prompt: "Review.", tools: ["Read"], model: "haiku" } },
  }),
  agentProgressSummaries: only({ agentProgressSummaries: true }),
  allowDangerouslySkipPermissions: only({
    allowDangerouslySkipPermissions: true,
    permissionMode: "bypassPermissions",
  }),
  allowedTools: only({ allowedTools: ["Read", "Bash(git *)"] }),
  betas: only({ betas: ["context-1m-2025-08-07"] }),
  continue: only({ continue: true }),
  "debug and debugFile": only({ debug: true, debugFile: "/d.log" }),
  debug: only({ debug: true }),
  disallowedTools: only({ disallowedTools: ["Bash", "Write"] }),
  effort: only({ effort: "high" }),
  enableFileCheckpointing: only({ enableFileCheckpointing: true }),
  env: only({ env: { PATH: process.env.PATH, ONE: "1", DEBUG: "x", NODE_OPTIONS: "--no-warnings" } }),
  "env, as a process": { ...only({ env: { PATH: process.env.PATH, ONE: "1" } }), spawned: true },
  "env that says who asks": only({
    env: { PATH: process.env.PATH, CLAUDE_CODE_ENTRYPOINT: "mine", CLAUDE_AGENT_SDK_VERSION: "0.0.1" },
  }),
  executableArgs: {
    ...only({ executable: "node", executableArgs: ["--no-warnings"] }),
    spawned: true,
  },
  extraArgs: only({ extraArgs: { "replay-user-messages": null, foo: "bar", neg: "-1" } }),
  fallbackModel: only({ model: "a", fallbackModel: "b" }),
  forkSession: only({ resume: ID, forkSession: true }),
  forwardSubagentText: only({ forwardSubagentText: true }),
  includeHookEvents: only({ includeHookEvents: true }),
  includePartialMessages: only({ includePartialMessages: true }),
  managedSettings: only({ managedSettings: { permissions: { deny: ["Bash"] } } }),
  maxBudgetUsd: only({ maxBudgetUsd: 0.5 }),
  "maxBudgetUsd of nothing": only({ maxBudgetUsd: 0 }),
  maxThinkingTokens: only({ maxThinkingTokens: 1024 }),
  "maxThinkingTokens of nothing": only({ maxThinkingTokens: 0 }),
  maxTurns: only({ maxTurns: 3 }),
  "mcpServers elsewhere": only({
    mcpServers: {
      a: { command: "node", args: ["x.js"] },
      b: { type: "http", url: "http://127.0.0.1:1/mcp" },
    },
    strictMcpConfig: true,
  }),
  "mcpServers here": {
    options: (sdk) => ({ mcpServers: { calc: calculator(sdk) } }),
    prompt: asks(
      { subtype: "mcp_message", server_name: "calc", message: notification },
      { subtype: "mcp_message", server_name: "calc", message: add({ a: 1, b: 2 }) },
    ),
  },
  "mcpServers here with an input that does not fit": {
    options: (sdk) => ({ mcpServers: { calc: calculator(sdk) } }),
    prompt: asks({ subtype: "mcp_message", server_name: "calc", message: add({ a: "x" }) }),
  },
  model: only({ model: "claude-sonnet-4-5" }),
  outputFormat: only({ outputFormat: { type: "json_schema", schema: { type: "object", properties: {} } } }),
  permissionMode: only({ permissionMode: "plan" }),
  permissionPromptToolName: only({ permissionPromptToolName: "mcp__s__ask" }),
  permissionPrompts: only({ permissionPrompts: "none" }),
  persistSession: only({ persistSession: false }),
  perTaskStopAffordance: only({ perTaskStopAffordance: true }),
  planModeInstructions: only({ permissionMode: "plan", planModeInstructions: "Plan." }),
  plugins: only({
    plugins: [
      { type: "local", path: "/p" },
      { type: "local", path: "/q", skipMcpDiscovery: true },
    ],
  }),
  "plugins by initialize": only({ plugins: [{ type: "local", path: "/p" }], pluginDelivery: "initialize" }),
  projectConfigRoot: only({ projectConfigRoot: "/root" }),
  promptSuggestions: only({ promptSuggestions: true }),
  resume: only({ resume: ID }),
  "resume at a message": only({ resume: ID, resumeSessionAt: "u", resumeDropsTurn: "" }),
  sandbox: only({ sandbox: { enabled: true, network: { allowedDomains: ["example.com"] } } }),
  "sandbox and settings": only({
    settings: {
      model: "m",
      sandbox: { filesystem: { disabled: true, denyRead: ["/a"] }, network: { httpProxyPort: 1 } },
    },
    sandbox: { enabled: true, filesystem: { denyRead: ["/b"] }, network: { deniedDomains: ["x.com"] } },
  }),
  sessionId: only({ sessionId: ID }),
  settings: only({ settings: { model: "m" } }),
  "settings in a file": only({ settings: "/s.json" }),
  settingSources: only({ settingSources: ["user", "project"] }),
  "settingSources of nothing": only({ settingSources: [] }),
  skills: only({ skills: ["pdf", "plugin:docx"], allowedTools: ["Read", "Skill(pdf)"] }),
  "all skills": only({ skills: "all" }),
  "systemPrompt as text": only({ systemPrompt: "Be brief." }),
  "systemPrompt in parts": only({ systemPrompt: ["one", "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__", "two"] }),
  "systemPrompt of one's own": only({ systemPrompt: { type: "custom", prompt: "Own.", snapshot: false } }),
  "systemPrompt preset": only({
    systemPrompt: {
      type: "preset",
      preset: "claude_code",
      append: "More.",
      excludeDynamicSections: true,
      snapshot: true,
    },
  }),
  taskBudget: only({ taskBudget: { total: 9000 } }),
  "thinking that adapts": only({ thinking: { type: "adaptive", display: "summarized" } }),
  "thinking that is limited": only({ thinking: { type: "enabled", budgetTokens: 2048, display: "omitted" } }),
  "thinking without a limit": only({ thinking: { type: "enabled" } }),
  "thinking disabled": only({ thinking: { type: "disabled" } }),
  title: only({ title: "A title" }),
  toolAliases: only({ toolAliases: { Bash: "mcp__w__bash" } }),
  toolConfig: only({ toolConfig: { askUserQuestion: { previewFormat: "html" } } }),
  tools: only({ tools: ["Read", "Grep"] }),
  "tools of nothing": only({ tools: [] }),
  "tools preset": only({ tools: { type: "preset", preset: "claude_code" } }),
  verbatimPrompts: only({ verbatimPrompts: true }),
  "verbatimPrompts of a stream": { ...only({ verbatimPrompts: true }), drive: async () => undefined },
  "many options": only({
    model: "a",
    maxTurns: 2,
    allowedTools: ["Read"],
    disallowedTools: ["Bash"],
    tools: [],
    settingSources: [],
    additionalDirectories: ["/x"],
    mcpServers: { a: { command: "true" } },
    settings: { model: "z" },
    extraArgs: { foo: "bar" },
    includePartialMessages: true,
    permissionMode: "acceptEdits",
    resume: ID,
    forkSession: true,
  }),

  "canUseTool that allows": {
    ...only({ canUseTool: async (_name, input) => ({ behavior: "allow", updatedInput: input }) }),
    prompt: asks(canUse),
  },
  "canUseTool that denies": {
    ...only({ canUseTool: async () => ({ behavior: "deny", message: "no", interrupt: true }) }),
    prompt: asks(canUse),
  },
  "canUseTool that is told everything": {
    ...only({
      canUseTool: async (name, input, { signal: _, ...context }) => ({
        behavior: "deny",
        message: JSON.stringify([name, input, Object.entries(context).sort()]),
      }),
    }),
    prompt: asks({
      ...canUse,
      permission_suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
      blocked_path: "/x",
      decision_reason: "why",
      decision_reason_type: "rule",
      title: "t",
      display_name: "d",
      description: "e",
      agent_id: "a",
      mcp_server: { name: "s", source: "sdk" },
      matched_ask_rule: { source: "session", tool_name: "Bash", rule_content: "ls" },
      default_to_no: true,
      suppress_always_allow_rule: false,
      requires_user_interaction: true,
    }),
  },
  "canUseTool that throws": {
    ...only({
      canUseTool: async () => {
        throw new Error("broken");
      },
    }),
    prompt: asks(canUse),
  },
  "no canUseTool": { prompt: asks(canUse) },
  hooks: {
    ...only({
      hooks: {
        PreToolUse: [
          {
            matcher: "Bash|Write",
            timeout: 5,
            hooks: [async () => ({ decision: "block", reason: "no" }), async () => ({ async: true })],
          },
          { hooks: [async (input, id) => ({ systemMessage: `${input.hook_event_name} ${id}` })] },
        ],
        Stop: [],
      },
    }),
    prompt: asks(
      { subtype: "hook_callback", callback_id: "hook_0", input: hookInput(), tool_use_id: "t" },
      { subtype: "hook_callback", callback_id: "hook_1", input: hookInput() },
      { subtype: "hook_callback", callback_id: "hook_2", input: hookInput(), tool_use_id: "t" },
    ),
  },
  "hooks that must not fail": only({ hooks: { Stop: [{ onFailure: "block", hooks: [async () => ({})] }] } }),
  "hooks of an event to come": {
    ...only({
      hooks: { PreToolUse: [{ hooks: [async (input) => ({ systemMessage: JSON.stringify(input) })] }] },
    }),
    prompt: asks({
      subtype: "hook_callback",
      callback_id: "hook_0",
      input: { hook_event_name: "NotYet", session_id: "s", what: 1 },
    }),
  },
  "hooks nobody has": {
    prompt: asks({ subtype: "hook_callback", callback_id: "hook_9", input: hookInput() }),
  },
  onElicitation: {
    ...only({ onElicitation: async ({ serverName }) => ({ action: "accept", content: { serverName } }) }),
    prompt: asks({ subtype: "elicitation", mcp_server_name: "s", message: "name?", mode: "form" }),
  },
  "no onElicitation": { prompt: asks({ subtype: "elicitation", mcp_server_name: "s", message: "name?" }) },
  onUserDialog: {
    ...only({
      supportedDialogKinds: ["k"],
      onUserDialog: async ({ dialogKind, payload }) => ({
        behavior: "completed",
        result: { dialogKind, payload },
      }),
    }),
    prompt: asks({ subtype: "request_user_dialog", dialog_kind: "k", payload: { a: 1 } }),
  },
  "a request nobody knows": { prompt: asks({ subtype: "not_yet", a: 1 }) },

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

function hookInput() {
  return {
    hook_event_name: "PreToolUse",
    session_id: "s",
    transcript_path: "/t",
    cwd: "/c",
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "t",
  };
}
