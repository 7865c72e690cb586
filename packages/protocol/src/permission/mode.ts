import { literal } from "../schema/scalar.ts";
import type { Schema } from "../schema/schema.ts";

/** The modes a session can be in, each a rule for what happens to a tool that no permission rule covers. */
export const PERMISSION_MODES = [
  "default",
  "acceptEdits",
  "plan",
  "bypassPermissions",
  "dontAsk",
  "auto",
] as const;

/** One of the six permission modes, by its name on the wire. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** Exactly one of the six modes: an unknown mode must not be guessed at. */
export const permissionMode: Schema<PermissionMode> = literal(...PERMISSION_MODES);

/** The mode that a flag, a setting or a request names; `manual` is another name for `default`. */
export function toPermissionMode(name: string): PermissionMode | undefined {
  if (name === "manual") return "default";
  return PERMISSION_MODES.find((mode) => mode === name);
}
