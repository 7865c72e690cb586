import type { PermissionMode } from "@agentwire/protocol/permission";
import type { SandboxSettings } from "../sandbox.ts";

type McpServerPattern = {
  serverName?: string;
  serverCommand?: [string, ...string[]];
  serverUrl?: string;
};

/** The settings for what an agent may do. */
export interface SettingsOfPermissions {
  allowedMcpServers?: McpServerPattern[];
  autoMode?: {
    allow?: string[];
    soft_deny?: string[];
    hard_deny?: string[];
    environment?: string[];
    classifyAllShell?: boolean;
  };
  deniedMcpServers?: McpServerPattern[];
  disableAutoMode?: "disable";
  disabledMcpjsonServers?: string[];
  enableAllProjectMcpServers?: boolean;
  enabledMcpjsonServers?: string[];
  managedMcpServers?: { [name: string]: { [key: string]: unknown } };
  permissions?: {
    allow?: string[];
    deny?: string[];
    ask?: string[];
    defaultMode?: PermissionMode;
    disableBypassPermissionsMode?: "disable";
    blockReadsOutsideWorkingDirectories?: boolean;
    blockWritesOutsideWorkingDirectories?: boolean;
    blockReadsExemptPaths?: string[];
    workingDirectoriesAsGiven?: string[];
    disableAutoMode?: "disable";
    denyInsteadOfPrompting?: boolean;
    additionalDirectories?: string[];
    [key: string]: unknown;
  };
  sandbox?: SandboxSettings;
  skipAutoPermissionPrompt?: boolean;
  skipDangerousModePermissionPrompt?: boolean;
  useAutoModeDuringPlan?: boolean;
}
