import { type Handlers, isJsonObject, ProtocolError } from "@agentwire/protocol";
import type { hostRequests } from "@agentwire/protocol/control";
import { asString } from "@agentwire/protocol/support";
import type { SessionContext } from "../session/context.ts";

/** The keys that a host may write into a settings file. */
const WRITABLE: ReadonlySet<string> = new Set(["outputStyle", "effortLevel"]);

/** Requests that change settings. */
export function settingsControls({ settings, models, gate }: SessionContext): Handlers<typeof hostRequests> {
  return {
    apply_flag_settings({ settings: given }) {
      if (!isJsonObject(given))
        throw new ProtocolError("refused", "settings is not an object", { errorCode: "invalid_request" });
      const [fault] = settings.applyFlagSettings(given);
      if (fault)
        throw new ProtocolError("refused", `${fault.key ?? fault.path}: ${fault.message}`, {
          errorCode: "invalid_request",
        });
      gate.applySettings();
      // For a cleared key, the value of the less specific settings applies.
      if (Object.hasOwn(given, "model")) models.adopt(asString(settings.effective.model));
      if (Object.hasOwn(given, "effortLevel")) models.setEffort(asString(settings.effective.effortLevel));
      return {};
    },
    async update_settings({ source, settings: given }) {
      const foreign = Object.keys(given).filter((key) => !WRITABLE.has(key));
      if (foreign.length > 0)
        throw new ProtocolError(
          "refused",
          `these settings can't be written by a host: ${foreign.join(", ")}`,
          { errorCode: "invalid_request" },
        );
      if (source !== "localSettings" && source !== "userSettings")
        throw new ProtocolError("refused", `settings of the source ${source} can't be written`);
      await settings.update(source, (before) => ({ ...before, ...given }));
      return {};
    },
  };
}
