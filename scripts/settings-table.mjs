import { defaultConfig } from "@agentwire/daemon";
import { SETTING_KEYS, schemaOf } from "@agentwire/daemon/settings";
import { replaceSection } from "./replace-section.mjs";

/** The operating guide with its table of settings, from the daemon's own table of keys. */
export function withSettings(guide) {
  const config = defaultConfig({ HOME: "/home/user" }, "/project");
  const rows = SETTING_KEYS.map(
    ({ path, about, expects, get, isReloadable }) =>
      `| \`${path}\` | ${about} | ${schemaOf(expects).doc().type} | ${get(config) ?? "–"} | ${isReloadable ? "yes" : "no"} |`,
  );
  const head = ["| key | what it says | expects | default | reload |", "| --- | --- | --- | --- | --- |"];
  return replaceSection(guide, "settings", [...head, ...rows].join("\n"));
}
