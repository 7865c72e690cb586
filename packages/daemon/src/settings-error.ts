/** Why settings can't be followed; the text says where and what is expected there. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
