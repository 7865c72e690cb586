import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseRule, toPermissionMode } from "@agentwire/protocol/permission";

/** A fault in one setting. */
export interface Fault {
  readonly key: string;
  readonly message: string;
  /** The fault concerns only one rule of a list. */
  readonly isRule?: true;
}

/** What is left of a value after a check; undefined if nothing is. */
interface Checked {
  readonly value: unknown;
  readonly faults: readonly Fault[];
}

type Check = (value: unknown, key: string) => Checked;

const good = (value: unknown): Checked => ({ value, faults: [] });
const bad = (key: string, message: string): Checked => ({ value: undefined, faults: [{ key, message }] });
const badRule = (key: string, message: string): Checked => ({
  value: undefined,
  faults: [{ key, message, isRule: true }],
});

const ofType =
  (type: "string" | "boolean" | "number"): Check =>
  (value, key) =>
    typeof value === type ? good(value) : bad(key, `is not a ${type}`);

const rule: Check = (value, key) => {
  if (typeof value !== "string") return badRule(key, "has a rule that is not a string");
  const reading = parseRule(value);
  return reading.ok ? good(value) : badRule(key, `has an invalid rule, ${reading.text}: ${reading.reason}`);
};

const mode: Check = (value, key) =>
  typeof value === "string" && toPermissionMode(value) !== undefined
    ? good(value)
    : bad(key, "is not a permission mode");

const listOf =
  (item: Check): Check =>
  (value, key) => {
    if (!Array.isArray(value)) return bad(key, "is not a list");
    const items = value.map((one) => item(one, key));
    return {
      value: items.flatMap((one) => (one.value === undefined ? [] : [one.value])),
      faults: items.flatMap(({ faults }) => faults),
    };
  };

const objectOf =
  (checkOf: (key: string) => Check | undefined): Check =>
  (value, key) => {
    if (!isJsonObject(value)) return bad(key, "is not an object");
    const faults: Fault[] = [];
    const kept = Object.entries(value).flatMap(([name, member]) => {
      const checked = checkOf(name)?.(member, key === "" ? name : `${key}.${name}`) ?? good(member);
      faults.push(...checked.faults);
      return checked.value === undefined ? [] : [[name, checked.value] as const];
    });
    return { value: Object.fromEntries(kept), faults };
  };

const named = (checks: Readonly<Record<string, Check>>): Check => {
  const table = new Map(Object.entries(checks));
  return objectOf((key) => table.get(key));
};

const text = ofType("string");
const flag = ofType("boolean");
const port = ofType("number");
const texts = listOf(text);
const object = objectOf(() => undefined);
/** A variable becomes a string, whatever type it was written as. */
const variable: Check = (value) => good(String(value));
/** Which programs besides commands run in the sandbox. */
const included: Check = (value, key) =>
  value === "none" || value === "project" || value === "all"
    ? good(value)
    : bad(key, 'is not "none", "project" or "all"');
/** An unreadable value must not be treated as absent. */
const disable: Check = (value, key) => (value === "disable" ? good(value) : bad(key, 'is not "disable"'));

const CHECK = named({
  permissions: named({
    allow: listOf(rule),
    deny: listOf(rule),
    ask: listOf(rule),
    additionalDirectories: texts,
    defaultMode: mode,
    disableBypassPermissionsMode: disable,
  }),
  trustedFolders: texts,
  allowManagedPermissionRulesOnly: flag,
  disableAllHooks: flag,
  hooks: objectOf(() => listOf(object)),
  env: objectOf(() => variable),
  model: text,
  modelRoles: objectOf(() => text),
  providers: objectOf(() => object),
  outputStyle: text,
  sandbox: named({
    enabled: flag,
    failIfUnavailable: flag,
    autoAllowBashIfSandboxed: flag,
    allowUnsandboxedCommands: flag,
    excludedCommands: texts,
    hooks: included,
    mcpServers: included,
    filesystem: named({
      disabled: flag,
      allowWrite: texts,
      denyWrite: texts,
      allowRead: texts,
      denyRead: texts,
    }),
    network: named({
      allowedDomains: texts,
      deniedDomains: texts,
      allowManagedDomainsOnly: flag,
      strictAllowlist: flag,
      allowUnixSockets: texts,
      allowAllUnixSockets: flag,
      allowLocalBinding: flag,
      allowMachLookup: texts,
      httpProxyPort: port,
      socksProxyPort: port,
      tlsTerminate: object,
    }),
    credentials: object,
    ignoreViolations: object,
    enableWeakerNestedSandbox: flag,
    allowNestedUserNamespaces: flag,
    enableWeakerNetworkIsolation: flag,
    allowAppleEvents: flag,
    ripgrep: object,
    bwrapPath: text,
    socatPath: text,
  }),
});

/** Removes the settings that an agent would misread and reports them; unknown keys are left unchanged. */
export function checkSettings(settings: JsonObject): {
  readonly settings: JsonObject;
  readonly faults: readonly Fault[];
} {
  const { value, faults } = CHECK(settings, "");
  return { settings: isJsonObject(value) ? value : {}, faults };
}
