/** The settings are invalid; the message says where, and what is expected there. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
