export { checkSettings, type Fault } from "./check-settings.ts";
export { editSettingsFile } from "./edit-file.ts";
export { mergeSettings } from "./merge.ts";
export { parseSettings } from "./parse-settings.ts";
export { policyFolder, readPolicy, strongestPolicy } from "./policy.ts";
export {
  readSettings,
  readSettingsFile,
  type SettingsFolders,
  type SettingsReading,
  settingsPaths,
} from "./read-settings.ts";
export { restrictionsIn } from "./restrictions.ts";
