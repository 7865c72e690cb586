import type { SessionConfigOption, SessionMode, SessionModeState } from "@agentclientprotocol/sdk";
import type { ModelInfo } from "../../catalog/catalog.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import type { PermissionMode } from "../../permission/mode.ts";
import { objectAt, objectsAt, stringAt } from "../spelling.ts";

const MODES: Readonly<Record<PermissionMode, Omit<SessionMode, "id">>> = {
  default: { name: "Ask", description: "Asks before it changes files or runs commands" },
  acceptEdits: { name: "Accept edits", description: "Changes files without asking" },
  plan: { name: "Plan", description: "Reads and plans without changing anything" },
  bypassPermissions: { name: "Bypass permissions", description: "Never asks" },
  dontAsk: { name: "Don't ask", description: "Denies what it would otherwise ask about" },
  auto: { name: "Auto", description: "A classifier decides what to ask about" },
};

/** The modes of a session, as an editor lists them. */
export const modeState = (currentModeId: string, modes: readonly PermissionMode[]): SessionModeState => ({
  currentModeId,
  availableModes: modes.map((id) => ({ id, ...MODES[id] })),
});

/** The choices of a session and their current values. */
interface Choices {
  readonly mode: string;
  readonly modes: readonly PermissionMode[];
  readonly model: string;
  readonly models: readonly ModelInfo[];
}

/** The options of a session that an editor can set: mode and model. */
export function configOptions({ mode, modes, model, models }: Choices): SessionConfigOption[] {
  const known = models.map(({ value, displayName, description }) => ({
    value,
    name: displayName || value,
    description,
  }));
  const isListed = known.some(({ value }) => value === model);
  const choices = isListed || model === "" ? known : [{ value: model, name: model }, ...known];
  const [first] = choices;
  return [
    {
      type: "select",
      id: "mode",
      name: "Mode",
      category: "mode",
      currentValue: mode,
      options: modes.map((value) => ({ value, ...MODES[value] })),
    },
    ...(first
      ? [
          {
            type: "select" as const,
            id: "model",
            name: "Model",
            category: "model",
            currentValue: model === "" ? first.value : model,
            options: choices,
          },
        ]
      : []),
  ];
}

/** The names that agents use for the modes; the first that an agent offers is used. */
const MODE_NAMES: Readonly<Record<string, readonly string[]>> = {
  default: ["default", "ask", "code", "build"],
  acceptEdits: ["acceptEdits", "autoEdit", "auto_edit", "auto-edit"],
  plan: ["plan", "architect"],
  bypassPermissions: ["bypassPermissions", "yolo", "full-access"],
  dontAsk: ["dontAsk"],
  auto: ["auto"],
};

/** A request that changes a setting of the session, or why there is none. */
export type Change = { readonly method: string; readonly params: JsonObject } | { readonly refusal: string };

/** What can be chosen in an agent's session, as last reported. */
export class SessionChoices {
  #modes: JsonObject = {};
  #models: JsonObject = {};
  #options: readonly JsonObject[] = [];

  /** Records what an answer or an update reports about the choices. */
  hear(told: JsonObject): void {
    if (isJsonObject(told.modes)) this.#modes = told.modes;
    // From before there were options; still the only way of several agents.
    if (isJsonObject(told.models)) this.#models = told.models;
    if (Array.isArray(told.configOptions)) this.#options = objectsAt(told, "configOptions");
    if (typeof told.currentModelId === "string")
      this.#models = { ...this.#models, currentModelId: told.currentModelId };
    if (typeof told.currentModeId === "string")
      this.#modes = { ...this.#modes, currentModeId: told.currentModeId };
  }

  /** The canonical name of the mode; empty if the agent has none. */
  get mode(): string {
    const id = stringAt(this.#option("mode"), "currentValue") ?? stringAt(this.#modes, "currentModeId") ?? "";
    return Object.keys(MODE_NAMES).find((name) => MODE_NAMES[name]?.includes(id)) ?? id;
  }

  /** The model; empty if the agent does not report it. */
  get model(): string {
    return stringAt(this.#option("model"), "currentValue") ?? stringAt(this.#models, "currentModelId") ?? "";
  }

  /** The models that can be chosen. */
  get models(): ModelInfo[] {
    const named = valuesOf(this.#option("model")).map((one) => [stringAt(one, "value"), one] as const);
    const older = objectsAt(this.#models, "availableModels").map(
      (one) => [stringAt(one, "modelId"), one] as const,
    );
    return (named.length > 0 ? named : older).flatMap(([value, one]) =>
      value === undefined
        ? []
        : [
            {
              value,
              displayName: stringAt(one, "name") ?? value,
              description: stringAt(one, "description") ?? "",
            },
          ],
    );
  }

  /** The request that sets a mode. */
  setMode(sessionId: string, mode: string): Change {
    const option = this.#option("mode");
    const offered = valuesOf(option).map((one) => stringAt(one, "value"));
    const modes = objectsAt(this.#modes, "availableModes").map((one) => stringAt(one, "id"));
    const wanted = [mode, ...(MODE_NAMES[mode] ?? [])];
    const value = wanted.find((name) => offered.includes(name));
    if (value !== undefined) return setOption(sessionId, option, value);
    const modeId = wanted.find((name) => modes.includes(name));
    if (modeId !== undefined) return { method: "session/set_mode", params: { sessionId, modeId } };
    const has = [...new Set([...offered, ...modes])].join(", ");
    return { refusal: `the agent has no mode ${mode}; it has ${has === "" ? "none" : has}` };
  }

  /** The request that sets a model. */
  setModel(sessionId: string, model: string): Change {
    const option = this.#option("model");
    if (valuesOf(option).some(({ value }) => value === model)) return setOption(sessionId, option, model);
    if (objectsAt(this.#models, "availableModels").some(({ modelId }) => modelId === model))
      return { method: "session/set_model", params: { sessionId, modelId: model } };
    const has = this.models.map(({ value }) => value).join(", ");
    return { refusal: `the agent has no model ${model}; it has ${has === "" ? "none to choose from" : has}` };
  }

  #option(category: string): JsonObject {
    return this.#options.find((option) => (option.category ?? option.id) === category) ?? {};
  }
}

const setOption = (sessionId: string, option: JsonObject, value: string): Change => ({
  method: "session/set_config_option",
  params: { sessionId, configId: option.id, value },
});

/** The values of an option, which may be grouped. */
const valuesOf = (option: JsonObject): readonly JsonObject[] =>
  objectsAt(option, "options").flatMap((one) =>
    Array.isArray(one.options) ? objectsAt(one, "options") : [one],
  );

/** The servers that an editor supplies, in the canonical configuration. */
export function canonicalServers(params: JsonObject): JsonObject {
  const servers = objectsAt(params, "mcpServers").map((server) => {
    const name = stringAt(server, "name") ?? "";
    if (server.type === "http" || server.type === "sse")
      return [name, { type: server.type, url: server.url, headers: pairs(server, "headers") }];
    return [
      name,
      { type: "stdio", command: server.command, args: server.args ?? [], env: pairs(server, "env") },
    ];
  });
  return Object.fromEntries(servers);
}

/** The servers of a canonical configuration in the protocol's form, except those in the host's own process. */
export function acpServers(servers: JsonObject): readonly JsonObject[] {
  return Object.entries(servers).flatMap(([name, server]): JsonObject[] => {
    if (!isJsonObject(server) || server.type === "sdk") return [];
    if (server.type === "http" || server.type === "sse")
      return [{ type: server.type, name, url: server.url, headers: listed(objectAt(server, "headers")) }];
    return [{ name, command: server.command, args: server.args ?? [], env: listed(objectAt(server, "env")) }];
  });
}

const pairs = (server: JsonObject, field: string) =>
  Object.fromEntries(objectsAt(server, field).map(({ name, value }) => [name, value]));
const listed = (record: JsonObject) => Object.entries(record).map(([name, value]) => ({ name, value }));
