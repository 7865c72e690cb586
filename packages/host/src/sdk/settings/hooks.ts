type Common = { if?: string; timeout?: number; statusMessage?: string; once?: boolean };
type Failing = { onFailure?: "continue" | "block" };

type CommandHook = Common &
  Failing & {
    type: "command";
    command: string;
    args?: string[];
    shell?: "bash" | "powershell";
    async?: boolean;
    asyncRewake?: boolean;
  };

type PromptHook = Common & { type: "prompt"; prompt: string; model?: string; continueOnBlock?: boolean };

type AgentHook = Common & { type: "agent"; prompt: string; model?: string };

type HttpHook = Common &
  Failing & { type: "http"; url: string; headers?: { [name: string]: string }; allowedEnvVars?: string[] };

type McpToolHook = Common & {
  type: "mcp_tool";
  server: string;
  tool: string;
  input?: { [name: string]: unknown };
};

type HookOfSettings = CommandHook | PromptHook | AgentHook | HttpHook | McpToolHook;

/** The settings for hooks. */
export interface SettingsOfHooks {
  hooks?: { [event: string]: { matcher?: string; hooks: HookOfSettings[] }[] };
  disableAllHooks?: boolean;
  allowManagedHooksOnly?: boolean;
  allowedHttpHookUrls?: string[];
  httpHookAllowedEnvVars?: string[];
}
