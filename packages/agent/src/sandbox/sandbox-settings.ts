import { resolve } from "node:path";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { asString } from "@agentwire/protocol/support";
import type { Settings, SettingsFile } from "../settings/settings.ts";
import { untrustedSettings } from "../settings/untrusted.ts";

/** Which hooks, or which MCP server programs, run inside: none, those of the project, or all. */
type Included = "none" | "project" | "all";

/** The sandbox settings, under their official names; paths are absolute. */
export interface SandboxSettings {
  readonly enabled: boolean;
  readonly failIfUnavailable: boolean;
  readonly autoAllowBashIfSandboxed: boolean;
  readonly allowUnsandboxedCommands: boolean;
  readonly excludedCommands: readonly string[];
  readonly hooks: Included;
  readonly mcpServers: Included;
  readonly filesystem: {
    readonly disabled: boolean;
    readonly allowWrite: readonly string[];
    readonly denyWrite: readonly string[];
    readonly denyRead: readonly string[];
    readonly allowRead: readonly string[];
  };
  readonly network: {
    readonly allowedDomains: readonly string[];
    readonly deniedDomains: readonly string[];
    /** Unlisted hosts are denied without a question. */
    readonly strictAllowlist: boolean;
    readonly allowUnixSockets: readonly string[];
    readonly allowAllUnixSockets: boolean;
    readonly allowLocalBinding: boolean;
    readonly allowMachLookup: readonly string[];
    readonly httpProxyPort: number | undefined;
    readonly socksProxyPort: number | undefined;
    readonly tlsTerminate: JsonObject | undefined;
  };
  readonly credentials: JsonObject | undefined;
  readonly ignoreViolations: JsonObject | undefined;
  readonly enableWeakerNestedSandbox: boolean;
  readonly allowNestedUserNamespaces: boolean;
  readonly enableWeakerNetworkIsolation: boolean;
  readonly allowAppleEvents: boolean;
  readonly ripgrep: JsonObject | undefined;
  readonly bwrapPath: string | undefined;
  readonly socatPath: string | undefined;
}

/** The `sandbox` object of one file. */
interface Layer extends Pick<SettingsFile, "source" | "root"> {
  readonly sandbox: JsonObject;
}

/** A project must not choose the programs that build the sandbox, or turn off what its protection depends on. */
const NEVER_OF_PROJECT: readonly (readonly string[])[] = [
  ["filesystem", "disabled"],
  ["network", "tlsTerminate"],
  ["credentials", "allowPlaintextInject"],
  ["allowNestedUserNamespaces"],
  ["allowAppleEvents"],
  ["ripgrep"],
];
const ONLY_OF_POLICY: readonly (readonly string[])[] = [["bwrapPath"], ["socatPath"]];

/** Reads the sandbox settings from all settings files. */
export function sandboxSettings({ files }: Pick<Settings, "files">, home: string): SandboxSettings {
  const layers = layersOf(files);
  const managedOnly = isManagedOnly(layers);
  const is = (path: readonly string[], otherwise = false) => {
    const value = strongest(layers, path);
    return typeof value === "boolean" ? value : otherwise;
  };
  const paths = (path: readonly string[]) =>
    layers.flatMap(({ root, sandbox }) => texts(sandbox, path).map((one) => absolute(one, root, home)));
  const list = (path: readonly string[], of = layers) => of.flatMap(({ sandbox }) => texts(sandbox, path));
  const object = (path: readonly string[]) => objectOf(strongest(layers, path));
  const port = (path: readonly string[]) => numberOf(strongest(layers, path));
  const domainLayers = managedOnly ? layers.filter(({ source }) => source === "policySettings") : layers;
  return {
    enabled: is(["enabled"]),
    failIfUnavailable: is(["failIfUnavailable"]),
    autoAllowBashIfSandboxed: is(["autoAllowBashIfSandboxed"]),
    allowUnsandboxedCommands: is(["allowUnsandboxedCommands"], true),
    excludedCommands: list(["excludedCommands"]),
    hooks: widest(layers, "hooks"),
    mcpServers: widest(layers, "mcpServers"),
    filesystem: {
      disabled: is(["filesystem", "disabled"]),
      allowWrite: paths(["filesystem", "allowWrite"]),
      denyWrite: paths(["filesystem", "denyWrite"]),
      denyRead: paths(["filesystem", "denyRead"]),
      allowRead: paths(["filesystem", "allowRead"]),
    },
    network: {
      allowedDomains: list(["network", "allowedDomains"], domainLayers),
      deniedDomains: list(["network", "deniedDomains"]),
      strictAllowlist: is(["network", "strictAllowlist"]) || managedOnly,
      allowUnixSockets: paths(["network", "allowUnixSockets"]),
      allowAllUnixSockets: is(["network", "allowAllUnixSockets"]),
      allowLocalBinding: is(["network", "allowLocalBinding"]),
      allowMachLookup: list(["network", "allowMachLookup"]),
      httpProxyPort: port(["network", "httpProxyPort"]),
      socksProxyPort: port(["network", "socksProxyPort"]),
      tlsTerminate: object(["network", "tlsTerminate"]),
    },
    credentials: object(["credentials"]),
    ignoreViolations: object(["ignoreViolations"]),
    enableWeakerNestedSandbox: is(["enableWeakerNestedSandbox"]),
    allowNestedUserNamespaces: is(["allowNestedUserNamespaces"]),
    enableWeakerNetworkIsolation: is(["enableWeakerNetworkIsolation"]),
    allowAppleEvents: is(["allowAppleEvents"]),
    ripgrep: object(["ripgrep"]),
    bwrapPath: asString(strongest(layers, ["bwrapPath"])),
    socatPath: asString(strongest(layers, ["socatPath"])),
  };
}

/** From weakest to strongest, each with the settings that its source may make. */
function layersOf(files: readonly SettingsFile[]): readonly Layer[] {
  const given = files.flatMap(({ source, root, settings: { sandbox } }) =>
    isJsonObject(sandbox) ? [{ source, root, sandbox }] : [],
  );
  const locked = isLocked(given);
  return given.map((layer) => {
    const { source, sandbox } = layer;
    if (source === "policySettings") return layer;
    const own = without(sandbox, ONLY_OF_POLICY);
    if (source !== "projectSettings" && source !== "localSettings") return { ...layer, sandbox: own };
    const kept = without(own, NEVER_OF_PROJECT);
    return { ...layer, sandbox: locked ? restricting(kept) : kept };
  });
}

/** Whether a source above the project requires the sandbox: then the project can only restrict it further. */
function isLocked(layers: readonly Layer[]): boolean {
  const insists = layers.some(
    ({ source, sandbox }) =>
      source !== "projectSettings" &&
      source !== "localSettings" &&
      sandbox.allowUnsandboxedCommands === false,
  );
  return insists || isManagedOnly(layers);
}

const isManagedOnly = (layers: readonly Layer[]) =>
  layers.some(
    ({ source, sandbox }) =>
      source === "policySettings" && at(sandbox, ["network", "allowManagedDomainsOnly"]) === true,
  );

function restricting(sandbox: JsonObject): JsonObject {
  return objectOf(untrustedSettings({ sandbox }).settings.sandbox) ?? {};
}

function without(sandbox: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  return paths.reduce((left, path) => withoutKey(left, path), sandbox);
}

function withoutKey(value: JsonObject, [key = "", ...rest]: readonly string[]): JsonObject {
  const inner = value[key];
  const others = Object.entries(value).filter(([name]) => name !== key);
  if (rest.length === 0) return Object.fromEntries(others);
  return isJsonObject(inner) ? { ...value, [key]: withoutKey(inner, rest) } : value;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value);
}

function strongest(layers: readonly Layer[], path: readonly string[]): unknown {
  return layers.reduce<unknown>((found, { sandbox }) => at(sandbox, path) ?? found, undefined);
}

const WIDTHS: readonly Included[] = ["all", "project"];

/** The widest choice is the safest one, so it takes precedence. */
function widest(layers: readonly Layer[], key: string): Included {
  const isSaid = (width: Included) => layers.some(({ sandbox }) => sandbox[key] === width);
  return WIDTHS.find(isSaid) ?? "none";
}

function texts(sandbox: JsonObject, path: readonly string[]): readonly string[] {
  const list = at(sandbox, path);
  return Array.isArray(list) ? list.filter((one) => typeof one === "string" && one !== "") : [];
}

function absolute(path: string, root: string, home: string): string {
  return resolve(root, path.replace(/^~(?=$|\/)/, home));
}

const objectOf = (value: unknown) => (isJsonObject(value) ? value : undefined);
const numberOf = (value: unknown) => (typeof value === "number" ? value : undefined);
