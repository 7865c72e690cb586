import { literal } from "../schema/scalar.ts";
import type { Schema } from "../schema/schema.ts";

/** The modes of a session; each decides what happens to a tool call that no permission rule covers. */
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

/** Exactly one of the six modes: an unknown mode must not be guessed. */
export const permissionMode: Schema<PermissionMode> = literal(...PERMISSION_MODES);

/** The mode named by a flag, a setting or a request; `manual` is another name for `default`. */
export function toPermissionMode(name: string): PermissionMode | undefined {
  if (name === "manual") return "default";
  return PERMISSION_MODES.find((mode) => mode === name);
}
