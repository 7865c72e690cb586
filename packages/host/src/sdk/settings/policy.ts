/** The settings for credentials, and those reserved for an administrator. */
export interface SettingsOfPolicy {
  allowAllClaudeAiMcps?: boolean;
  allowClaudeInChromeWithManagedMcp?: boolean;
  allowManagedMcpServersOnly?: boolean;
  allowManagedPermissionRulesOnly?: boolean;
  allowedProviders?: (
    | "anthropic"
    | "customEndpoint"
    | "bedrock"
    | "vertex"
    | "foundry"
    | "anthropicAws"
    | "mantle"
    | "gateway"
  )[];
  apiKeyHelper?: string;
  awsAuthRefresh?: string;
  awsCredentialExport?: string;
  channelsEnabled?: boolean;
  disableAgentView?: boolean;
  disableArtifact?: boolean;
  disableClaudeAiConnectors?: boolean;
  disableDeepLinkRegistration?: "disable";
  disableRemoteControl?: boolean;
  disableReplyCheck?: boolean;
  disableWindowsBashCommandSplit?: boolean;
  disableWorkflows?: boolean;
  enableArtifact?: boolean;
  enableWorkflows?: boolean;
  forceLoginGatewayUrl?: string;
  forceLoginMethod?: "claudeai" | "console" | "gateway";
  forceLoginOrgUUID?: string | string[];
  forceRemoteSettingsRefresh?: boolean;
  gatewayInternalNetworks?: string[];
  gcpAuthRefresh?: string;
  managedSourcesBehavior?: "first-wins" | "merge";
  minimumVersion?: string;
  otelHeadersHelper?: string;
  parentSettingsBehavior?: "first-wins" | "merge";
  policyHelper?: { path: string; timeoutMs?: number; refreshIntervalMs?: number };
  processWrapper?: string;
  proxyAuthHelper?: string;
  requiredMaximumVersion?: string;
  requiredMinimumVersion?: string;
  wslInheritsWindowsSettings?: boolean;
}
