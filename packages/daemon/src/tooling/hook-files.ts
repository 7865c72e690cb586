import { createHash } from "node:crypto";
import { readPolicy, readSettingsFile } from "@agentwire/local/settings";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import {
  compileMatcher,
  HOOK_EVENTS,
  type HookInput,
  hookShapes,
  matchedNames,
} from "@agentwire/protocol/hooks";
import { DaemonError } from "../errors.ts";
import { editFile, type FileScope, hookFiles, type Surroundings } from "./config-files.ts";
import { installedPlugins } from "./plugins.ts";

/** A hook in a file. */
export interface FileHook {
  /** The checksum of its entry in the file. */
  readonly id: string;
  readonly event: string;
  readonly matcher: string;
  /** Its command; for a hook of another kind, the name of that kind. */
  readonly command: string;
  readonly timeoutSeconds: number;
  readonly scope: FileScope | "managed" | "plugin";
  readonly path: string;
  /** The plugin that it belongs to; empty for none. */
  readonly plugin: string;
  /** Why it never runs; empty if it does. */
  readonly problem: string;
}

/** The hooks of a folder and its user, and problems with their files. */
export interface FileHooks {
  readonly hooks: readonly FileHook[];
  /** The file that disables all of them; empty if none does. */
  readonly disabledBy: string;
  readonly problems: readonly string[];
}

/** A new hook. */
export interface NewHook {
  readonly event: string;
  readonly matcher: string;
  readonly command: string;
  readonly timeoutSeconds: number | undefined;
}

const SCOPES: readonly FileScope[] = ["user", "project", "local"];
const DEFAULT_TIMEOUT = 600;

/** Reads all hooks, by increasing precedence of their files; then those of plugins and of the administrator. */
export async function readHooks(around: Surroundings): Promise<FileHooks> {
  const files = hookFiles(around);
  const problems: string[] = [];
  const hooks: FileHook[] = [];
  let disabledBy = "";
  const enabled: JsonObject = {};
  for (const scope of SCOPES) {
    const path = files[scope];
    const reading = await readSettingsFile(path);
    if (!reading) continue;
    if (!reading.ok) {
      problems.push(`${path} ${reading.reason}`);
      continue;
    }
    const { settings, faults } = reading;
    problems.push(...faults.map(({ key, message }) => `${path}: ${key} ${message}`));
    if (settings.disableAllHooks === true) disabledBy = path;
    if (isJsonObject(settings.enabledPlugins)) Object.assign(enabled, settings.enabledPlugins);
    for (const entry of entriesOf(settings)) hooks.push(fileHook({ ...entry, scope, path }));
  }
  const plugins = await installedPlugins(around);
  for (const { name, path, settings } of plugins) {
    const isOn = enabled[name] === true;
    for (const entry of entriesOf(settings)) {
      const hook = fileHook({ ...entry, scope: "plugin", path, plugin: name });
      hooks.push(isOn ? hook : { ...hook, problem: "the plugin is switched off" });
    }
  }
  const { settings: policy = {}, faults, paths } = await readPolicy(around.policyFolder);
  problems.push(...faults.map(({ path, message }) => `${path} ${message}`));
  const managed = entriesOf(policy).map((entry) =>
    fileHook({ ...entry, scope: "managed", path: paths[0] ?? "" }),
  );
  const alone = "the administrator allows only managed hooks";
  const others =
    policy.allowManagedHooksOnly === true ? hooks.map((hook) => ({ ...hook, problem: alone })) : hooks;
  return { hooks: [...others, ...managed], disabledBy, problems };
}

/** The hooks that would run for an event and its subject, in order. */
export async function matchHooks(
  around: Surroundings,
  event: string,
  subject: string,
): Promise<readonly FileHook[]> {
  mustBeEvent(event);
  const { hooks, disabledBy } = await readHooks(around);
  const field = hookShapes.get(event)?.matcher ?? "";
  const names = matchedNames({ hook_event_name: event, [field]: subject } as unknown as HookInput);
  return hooks.filter(
    (hook) =>
      (disabledBy === "" || hook.scope === "managed") &&
      hook.event === event &&
      hook.problem === "" &&
      compileMatcher(hook.matcher).matches(names),
  );
}

/** Adds a hook to a file. */
export async function addHook(around: Surroundings, scope: FileScope, wanted: NewHook): Promise<void> {
  const { event, matcher, command, timeoutSeconds } = wanted;
  mustBeEvent(event);
  if (command.trim() === "") throw new DaemonError("INVALID_ARGUMENT", "command: give the command to run");
  const { problem } = compileMatcher(matcher);
  if (problem !== undefined) throw new DaemonError("INVALID_ARGUMENT", `matcher: ${problem}`);
  const hook = { type: "command", command, ...(timeoutSeconds !== undefined && { timeout: timeoutSeconds }) };
  await editFile(hookFiles(around), scope, around.cwd, (settings) => {
    const hooks = isJsonObject(settings.hooks) ? settings.hooks : {};
    const groups = Array.isArray(hooks[event]) ? hooks[event] : [];
    const same = groups.find(
      (group) => isJsonObject(group) && matcherOf(group) === matcher && Array.isArray(group.hooks),
    );
    const added = same
      ? groups.map((group) => (group === same ? { ...group, hooks: [...group.hooks, hook] } : group))
      : [...groups, { ...(matcher !== "" && { matcher }), hooks: [hook] }];
    return { ...settings, hooks: { ...hooks, [event]: added } };
  });
}

/** Removes a hook from a file. */
export async function removeHook(around: Surroundings, scope: FileScope, id: string): Promise<void> {
  await editFile(hookFiles(around), scope, around.cwd, (settings) => {
    const found = entriesOf(settings).find(({ event, matcher, hook }) => idOf(event, matcher, hook) === id);
    if (!found) throw new DaemonError("INVALID_ARGUMENT", "id: the file no longer has this hook");
    const { event, group, hook } = found;
    const hooks = settings.hooks as JsonObject;
    const left = (group.hooks as readonly unknown[]).filter((one) => one !== hook);
    const groups = (hooks[event] as readonly unknown[]).flatMap((one) =>
      one !== group ? [one] : left.length > 0 ? [{ ...group, hooks: left }] : [],
    );
    const { [event]: _, ...others } = hooks;
    return { ...settings, hooks: groups.length > 0 ? { ...hooks, [event]: groups } : others };
  });
}

/** The events that hooks can handle, and what matchers are compared with for each. */
export const hookEvents = HOOK_EVENTS.map((name) => ({
  name,
  matchedField: hookShapes.get(name)?.matcher ?? "",
}));

function mustBeEvent(event: string): void {
  if (!hookEvents.some(({ name }) => name === event))
    throw new DaemonError("INVALID_ARGUMENT", `event: choose one of ${HOOK_EVENTS.join(", ")}`);
}

interface Entry {
  readonly event: string;
  readonly matcher: string;
  readonly group: JsonObject;
  readonly hook: JsonObject;
}

function entriesOf({ hooks }: JsonObject): readonly Entry[] {
  return Object.entries(isJsonObject(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : [])
      .filter(isJsonObject)
      .flatMap((group) =>
        (Array.isArray(group.hooks) ? group.hooks : [])
          .filter(isJsonObject)
          .map((hook) => ({ event, matcher: matcherOf(group), group, hook })),
      ),
  );
}

const matcherOf = ({ matcher }: JsonObject): string => (typeof matcher === "string" ? matcher : "");

const idOf = (event: string, matcher: string, hook: JsonObject): string =>
  createHash("sha256")
    .update(JSON.stringify([event, matcher, hook]))
    .digest("hex")
    .slice(0, 24);

function fileHook({
  event,
  matcher,
  hook,
  scope,
  path,
  plugin = "",
}: Omit<Entry, "group"> & Pick<FileHook, "scope" | "path"> & Partial<Pick<FileHook, "plugin">>): FileHook {
  const { type, command, timeout } = hook;
  const isCommand = type === "command" && typeof command === "string";
  const isKnown = hookEvents.some(({ name }) => name === event);
  const problem = !isKnown
    ? "there is no event with this name"
    : (compileMatcher(matcher).problem ?? (isCommand ? "" : "agentwire agents run only commands"));
  return {
    id: idOf(event, matcher, hook),
    ...{ event, matcher, scope, path, plugin, problem },
    command: isCommand ? command : String(type),
    timeoutSeconds: typeof timeout === "number" && timeout > 0 ? timeout : DEFAULT_TIMEOUT,
  };
}
