type Patience = "60s" | "5m" | "10m" | "never";

/** The settings for how a session runs and what it leaves behind. */
export interface SettingsOfSessions {
  agent?: string;
  askUserQuestionTimeout?: Patience;
  attribution?: boolean | { commit?: string; pr?: string; sessionUrl?: boolean; [key: string]: unknown };
  attributionProject?: string;
  attributionProjectPolicy?: { default?: string };
  autoContinueAtUsageLimit?: boolean;
  autoDreamEnabled?: boolean;
  autoMemoryDirectory?: string;
  autoMemoryEnabled?: boolean;
  autoUpdatesChannel?: "latest" | "stable" | "rc";
  autoUploadSessions?: boolean;
  bashOutputMaxChars?: number;
  claudeMd?: string;
  claudeMdExcludes?: string[];
  cleanupPeriodDays?: number;
  crossSessionInbound?: "accept" | "hold" | "refuse";
  daemonColdStart?: "transient" | "ask";
  defaultShell?: "bash" | "powershell";
  desktopSessionCleanupPeriodDays?: number;
  dialogExpiry?: Patience;
  env?: { [name: string]: string };
  fileCheckpointingEnabled?: boolean;
  fileSuggestion?: { type: "command"; command: string };
  includeCoAuthoredBy?: boolean;
  includeGitInstructions?: boolean;
  isolatePeerMachines?: boolean;
  plansDirectory?: string;
  remote?: { defaultEnvironmentId?: string };
  remoteControlAtStartup?: boolean;
  respectGitignore?: boolean;
  respondToBashCommands?: boolean;
  skipWebFetchPreflight?: boolean;
  sshConfigs?: {
    id: string;
    name: string;
    sshHost: string;
    sshPort?: number;
    sshIdentityFile?: string;
    startDirectory?: string;
  }[];
  sshHostCommands?: unknown[];
  taskOutputMaxChars?: number;
  teammateMode?: "auto" | "tmux" | "iterm2" | "in-process";
  todoFeatureEnabled?: boolean;
  workflowKeywordTriggerEnabled?: boolean;
  workflowSizeGuideline?: "unrestricted" | "small" | "medium" | "large";
  worktree?: {
    symlinkDirectories?: string[];
    sparsePaths?: string[];
    baseRef?: "fresh" | "head";
    bgIsolation?: "worktree" | "none";
    location?: string;
  };
}
