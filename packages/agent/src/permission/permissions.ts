import { resolve } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import {
  type GivenRule,
  type PermissionDestination,
  type PermissionUpdate,
  parseRule,
  parseRuleList,
  printRule,
} from "@agentwire/protocol/permission";
import type { Log } from "@agentwire/protocol/support";
import { errorRow } from "../settings/describe-settings.ts";
import type { Settings, SettingsError, SettingsSource } from "../settings/settings.ts";
import { permissionList, updateSettings } from "./update-settings.ts";

/** Rules and folders from one place, in the form of a settings file. */
interface PermissionLayer {
  readonly source: SettingsSource | PermissionDestination;
  readonly root: string;
  readonly settings: JsonObject;
}

/** The initial permissions of a session. */
export interface PermissionsOptions {
  readonly settings: Settings;
  /** Where the session started. */
  readonly cwd: string;
  readonly home: string;
  /** Lists of rules, in the form of `--allowedTools`. */
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly additionalDirectories: readonly string[];
  /** Tools of MCP servers for which the host has set a policy. */
  readonly toolPolicies?: () => readonly { readonly tool: string; readonly behavior: "ask" | "deny" }[];
  readonly log: Log;
}

const BEHAVIORS = ["deny", "ask", "allow"] as const;

/** The rules and folders of a session, from flags, settings files and the host's updates. */
export class Permissions {
  readonly #options: PermissionsOptions;
  /** Layers that are not in any settings file. */
  readonly #own = new Map<PermissionDestination, PermissionLayer>();
  /** What the slash command of the current turn allows. */
  #granted: readonly PermissionLayer[] = [];
  /** The invalid rules of the command line. */
  readonly errors: readonly SettingsError[];

  constructor(options: PermissionsOptions) {
    this.#options = options;
    const allow = options.allowedTools.flatMap(parseRuleList);
    const deny = options.disallowedTools.flatMap(parseRuleList);
    const printed = (readings: typeof allow) =>
      readings.flatMap((reading) => (reading.ok ? [printRule(reading.rule)] : []));
    this.#keep("cliArg", {
      permissions: {
        allow: printed(allow),
        deny: printed(deny),
        additionalDirectories: options.additionalDirectories,
      },
    });
    const flags = [["--allowedTools", allow] as const, ["--disallowedTools", deny] as const];
    this.errors = flags.flatMap(([path, readings]) =>
      readings.flatMap((one) =>
        one.ok ? [] : [{ path, message: `has an invalid rule, ${one.text}: ${one.reason}` }],
      ),
    );
  }

  /** From strongest to weakest. */
  get #layers(): readonly PermissionLayer[] {
    return [...this.#granted, ...this.#own.values(), ...[...this.#options.settings.files].reverse()];
  }

  /** Whether only the administrator's allow rules count. */
  get managedOnly(): boolean {
    return this.#options.settings.files.some(
      ({ source, settings }) =>
        source === "policySettings" && settings.allowManagedPermissionRulesOnly === true,
    );
  }

  /** All rules, even those not in effect. */
  get givenRules(): readonly GivenRule[] {
    return [...this.#policyRules(), ...this.#layers.flatMap(layerRules)];
  }

  /** The rules in effect. */
  get rules(): readonly GivenRule[] {
    const { managedOnly } = this;
    return this.givenRules.filter((given) => this.counts(given, managedOnly));
  }

  /** Whether a rule is in effect: the administrator may reserve allow rules for themselves. */
  counts({ behavior, source }: GivenRule, managedOnly = this.managedOnly): boolean {
    if (behavior !== "allow" || source === "policySettings") return true;
    return !managedOnly;
  }

  /** Folders besides the one the session started in. */
  get directories(): readonly { readonly path: string; readonly source: string }[] {
    return this.#layers.flatMap(({ source, settings }) =>
      permissionList(settings, "additionalDirectories").map((path) => ({
        path: this.#absolute(path),
        source,
      })),
    );
  }

  /** Adds allow rules, replacing those granted before. */
  grant(rules: readonly string[]): void {
    const settings = { permissions: { allow: rules } };
    this.#granted = rules.length > 0 ? [{ source: "session", root: this.#options.cwd, settings }] : [];
  }

  /** Applies an update, and saves it if its destination is a file. Never rejects. */
  async apply(update: PermissionUpdate): Promise<void> {
    if (update.type === "unknown") return;
    const { destination } = update;
    const change = (settings: JsonObject) => updateSettings(settings, update);
    const keep = (at: PermissionDestination) => this.#keep(at, change(this.#own.get(at)?.settings ?? {}));
    if (destination === "session" || destination === "cliArg") return keep(destination);
    const { settings, log } = this.#options;
    try {
      await settings.update(destination, change);
    } catch (error) {
      log.warn("a permission update applies to this session only", { destination, error });
      return keep("session");
    }
    // The host wants the file written even if this session does not read or trust it.
    const isRead = destination === "userSettings" || settings.isTrusted;
    if (!isRead || !settings.files.some(({ source }) => source === destination)) keep("session");
  }

  #policyRules(): readonly GivenRule[] {
    const { toolPolicies = () => [], cwd } = this.#options;
    return toolPolicies().map(({ tool, behavior }) => ({
      behavior,
      rule: { toolName: tool },
      source: "mcpServerPolicy",
      root: cwd,
    }));
  }

  #keep(source: PermissionDestination, settings: JsonObject): void {
    this.#own.set(source, { source, root: this.#options.cwd, settings });
  }

  #absolute(path: string): string {
    const { cwd, home } = this.#options;
    return path === "~" || path.startsWith("~/") ? resolve(home, path.slice(2)) : resolve(cwd, path);
  }
}

function layerRules({ source, root, settings }: PermissionLayer): readonly GivenRule[] {
  return BEHAVIORS.flatMap((behavior) =>
    permissionList(settings, behavior).flatMap((written): GivenRule[] => {
      const reading = parseRule(written);
      return reading.ok ? [{ behavior, rule: reading.rule, source, root }] : [];
    }),
  );
}

const EDITABILITY: ReadonlyMap<string | undefined, string> = new Map([
  ["userSettings", "persistent"],
  ["projectSettings", "persistent"],
  ["localSettings", "persistent"],
  ["session", "session"],
]);

/** The answer to `list_permission_rules`. */
export function describeRules(
  permissions: Permissions,
  originalCwd: string,
  settingsErrors: readonly SettingsError[],
): JsonObject {
  const { managedOnly } = permissions;
  const errors = [...settingsErrors, ...permissions.errors];
  return {
    rules: permissions.givenRules.map((given) => ({
      behavior: given.behavior,
      source: given.source,
      rule: printRule(given.rule),
      editability: EDITABILITY.get(given.source) ?? "readonly",
      ...(permissions.counts(given, managedOnly) ? {} : { notInEffect: true }),
    })),
    workspaceDirectories: permissions.directories,
    originalCwd,
    managedOnly,
    ...(errors.length > 0 ? { errors: errors.map(errorRow) } : {}),
  };
}
