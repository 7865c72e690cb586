import { randomUUID } from "node:crypto";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { ModelInfo } from "../../catalog/catalog.ts";
import type { JsonObject } from "../../json.ts";
import type { SystemMessage } from "../../messages/system.ts";
import { PERMISSION_MODES, type PermissionMode } from "../../permission/mode.ts";
import { objectAt, objectsAt, shown, stringAt } from "../spelling.ts";
import { configOptions, modeState } from "./session-options.ts";

/**
 * What an editor shows of a session besides its conversation: mode, model and commands. Each change is
 * reported once.
 */
export class ShownSession {
  #mode = "default";
  #modes: readonly PermissionMode[] = PERMISSION_MODES;
  #model = "";
  #models: readonly ModelInfo[] = [];
  #commands = "[]";

  /** What to show of a session that has just been opened, from the answers to `session_status` and `initialize`. */
  open(status: JsonObject, greeted: JsonObject) {
    const init = objectAt(status, "init");
    this.#models = objectsAt(greeted, "models").map((model) => ({
      value: shown(model.value),
      displayName: stringAt(model, "displayName") ?? "",
      description: stringAt(model, "description") ?? "",
    }));
    this.#mode = stringAt(init, "permissionMode") ?? "default";
    const offered = status.permission_modes;
    if (Array.isArray(offered)) this.#modes = PERMISSION_MODES.filter((mode) => offered.includes(mode));
    this.#model = stringAt(init, "model") ?? stringAt(greeted, "current_model") ?? "";
    return { modes: modeState(this.#mode, this.#modes), configOptions: this.#options() };
  }

  /** The editor itself set an option; returns the current values of all options. */
  set(option: "mode" | "model", value: string) {
    if (option === "mode") this.#mode = value;
    else this.#model = value;
    return { configOptions: this.#options() };
  }

  /** The updates for a mode or model that differs from the one shown. */
  standing(mode: string, model = this.#model): readonly SessionUpdate[] {
    const isMode = mode !== this.#mode;
    const isOther = isMode || model !== this.#model;
    this.#mode = mode;
    this.#model = model;
    return [
      ...(isMode ? [{ sessionUpdate: "current_mode_update" as const, currentModeId: mode }] : []),
      ...(isOther
        ? [{ sessionUpdate: "config_option_update" as const, configOptions: this.#options() }]
        : []),
    ];
  }

  /** The update for commands that differ from the ones shown. */
  commands(commands: readonly JsonObject[]): readonly SessionUpdate[] {
    const availableCommands = commands.map((command) => {
      const hint = stringAt(command, "argumentHint") ?? "";
      const description = stringAt(command, "description") ?? "";
      // An explicit null, as Claude's adapter writes it: some clients look for the field.
      return { name: shown(command.name), description, input: hint === "" ? null : { hint } };
    });
    const told = JSON.stringify(availableCommands);
    if (told === this.#commands) return [];
    this.#commands = told;
    return [{ sessionUpdate: "available_commands_update", availableCommands }];
  }

  #options() {
    return configOptions({
      mode: this.#mode,
      modes: this.#modes,
      model: this.#model,
      models: this.#models,
    });
  }
}

/** The update for a notice; undefined if the client shows none or there is nothing to say. */
export function notice(message: SystemMessage, capabilities: JsonObject): SessionUpdate | undefined {
  const shows = objectAt(capabilities, "session");
  if (message.subtype === "compact_boundary")
    return "compaction" in shows
      ? { sessionUpdate: "compaction_update", compactionId: randomUUID(), status: "completed" }
      : undefined;
  const title = stringAt(message as JsonObject, "content") ?? stringAt(message as JsonObject, "text") ?? "";
  if (title === "" || !("notices" in shows)) return undefined;
  const { level } = message as JsonObject;
  const severity = level === "warning" || level === "error" ? level : "info";
  return { sessionUpdate: "notice", severity, title };
}
