/** Which hosts and sockets a command may reach. */
export type SandboxNetworkConfig = {
  allowedDomains?: string[];
  deniedDomains?: string[];
  strictAllowlist?: boolean;
  allowManagedDomainsOnly?: boolean;
  allowUnixSockets?: string[];
  allowAllUnixSockets?: boolean;
  allowLocalBinding?: boolean;
  allowMachLookup?: string[];
  httpProxyPort?: number;
  socksProxyPort?: number;
  tlsTerminate?: { caCertPath?: string; caKeyPath?: string };
};

/** Which files a command may read and write. */
export type SandboxFilesystemConfig = {
  allowWrite?: string[];
  denyWrite?: string[];
  denyRead?: string[];
  allowRead?: string[];
  allowManagedReadPathsOnly?: boolean;
  disabled?: boolean;
};

type Masking = {
  mode: "deny" | "mask";
  extract?: string;
  onExtractNoMatch?: "deny" | "error" | "warn";
  decode?: "jwt";
  maskClaims?: string[];
  injectHosts?: string[];
};

/** Which secrets are hidden from a command, and where they are substituted. */
export type SandboxCredentialsConfig = {
  files?: (Masking & { path: string; maskDuplicates?: boolean })[];
  envVars?: (Masking & { name: string })[];
  allowPlaintextInject?: boolean;
  awsPairs?: { accessKeyIdVar: string; secretAccessKeyVar: string; sessionTokenVar?: string }[];
  sigv4?: {
    streaming?: "deny" | "passthrough";
    presigned?: "deny" | "passthrough";
    sigv4a?: "deny" | "passthrough";
  };
};

/** Violations that are not reported, by command. */
export type SandboxIgnoreViolations = Record<string, string[]>;

/** How commands are isolated from the rest of the machine. */
export type SandboxSettings = {
  enabled?: boolean;
  failIfUnavailable?: boolean;
  autoAllowBashIfSandboxed?: boolean;
  allowUnsandboxedCommands?: boolean;
  network?: SandboxNetworkConfig;
  filesystem?: SandboxFilesystemConfig;
  credentials?: SandboxCredentialsConfig;
  ignoreViolations?: SandboxIgnoreViolations;
  enableWeakerNestedSandbox?: boolean;
  allowNestedUserNamespaces?: boolean;
  enableWeakerNetworkIsolation?: boolean;
  allowAppleEvents?: boolean;
  excludedCommands?: string[];
  ripgrep?: { command: string; args?: string[] };
  bwrapPath?: string;
  socatPath?: string;
  [key: string]: unknown;
};
