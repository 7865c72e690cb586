type Fetched = { headers?: { [name: string]: string }; headersHelper?: string };
type Package = { source: "npm"; package: string; version?: string; registry?: string };
type Checkout = { ref?: string; path?: string; sparsePaths?: string[]; skipLfs?: boolean };
type Pinned = { ref?: string; sha?: string };

type PluginSource =
  | string
  | Package
  | ({ source: "url"; url: string } & Pinned)
  | ({ source: "github"; repo: string } & Pinned)
  | ({ source: "git-subdir"; url: string; path: string } & Pinned)
  | { source: "archive"; url: string; sha256?: string }
  | { source: "command"; command: string; timeout?: number; mode?: "copy" | "link" }
  | { source: "unsupported"; error?: string };

type ListedPlugin = Fetched & {
  name: string;
  source: PluginSource;
  description?: string;
  version?: string;
  strict?: boolean;
  engines?: { [name: string]: unknown };
};

type MarketplaceSource =
  | ({ source: "url"; url: string } & Fetched)
  | ({ source: "github"; repo: string } & Checkout)
  | ({ source: "git"; url: string } & Checkout)
  | Package
  | { source: "file"; path: string }
  | { source: "directory"; path: string }
  | { source: "skills-dir" }
  | { source: "hostPattern"; hostPattern: string }
  | { source: "pathPattern"; pathPattern: string }
  | {
      source: "settings";
      name: string;
      plugins: ListedPlugin[];
      owner?: { name: string; email?: string; url?: string };
    };

type Marketplaces = {
  [name: string]: {
    source: MarketplaceSource;
    installLocation?: string;
    autoUpdate?: boolean;
    pluginDigests?: { [plugin: string]: string[] };
  };
};

type PluginValues = { [name: string]: string | number | boolean | string[] };

/** The settings for plugins, skills and their sources. */
export interface SettingsOfPlugins {
  additionalMarketplaces?: Marketplaces;
  allowedChannelPlugins?: { marketplace: string; plugin: string }[];
  allowedMarketplaces?: MarketplaceSource[];
  appendPlugins?: string[];
  blockedMarketplaces?: MarketplaceSource[];
  disableBundledSkills?: boolean;
  disableCommandPluginSources?: boolean;
  disableSideloadFlags?: boolean;
  disableSkillShellExecution?: boolean;
  enabledPlugins?: { [plugin: string]: string[] | boolean | { [key: string]: unknown } };
  extraKnownMarketplaces?: Marketplaces;
  pluginConfigs?: {
    [plugin: string]:
      | { mcpServers?: { [server: string]: PluginValues }; options?: PluginValues }
      | { [key: string]: unknown };
  };
  pluginSuggestionMarketplaces?: string[];
  pluginTrustMessage?: string;
  prependPlugins?: string[];
  skillListingBudgetFraction?: number;
  skillListingMaxDescChars?: number;
  skillOverrides?: { [skill: string]: "on" | "name-only" | "user-invocable-only" | "off" };
  strictKnownMarketplaces?: MarketplaceSource[];
  strictPluginOnlyCustomization?: boolean | ("skills" | "agents" | "hooks" | "mcp")[];
  syncClaudeAiPlugins?: boolean;
  syncClaudeAiSkills?: boolean;
}
