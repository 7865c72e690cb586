import type { Settings, WritableSource } from "../settings/settings.ts";

/** Settings that tell when one of their files was changed through us. */
export function watchedSettings(settings: Settings, onChanged: (source: WritableSource) => void): Settings {
  return {
    get files() {
      return settings.files;
    },
    get effective() {
      return settings.effective;
    },
    trust: settings.trust,
    isTrusted: settings.isTrusted,
    get withheld() {
      return settings.withheld;
    },
    get errors() {
      return settings.errors;
    },
    get paths() {
      return settings.paths;
    },
    lookAgain: (path) => settings.lookAgain(path),
    applyFlagSettings: (given) => settings.applyFlagSettings(given),
    async update(source, change) {
      await settings.update(source, change);
      onChanged(source);
    },
  };
}
