import { isJsonObject, type JsonObject } from "../json.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { Reading } from "../schema/reading.ts";
import { boolean, jsonObject, literal, oneOf, string } from "../schema/scalar.ts";
import { type Infer, type Schema, UNREADABLE } from "../schema/schema.ts";
import { permissionUpdate } from "./update.ts";

const NO_REASON = "The host denied the tool without a reason";

const common = {
  toolUseID: optional(string),
  decisionClassification: optional(oneOf("user_temporary", "user_permanent", "user_reject")),
};

const allow = object({
  behavior: literal("allow"),
  updatedInput: optional(jsonObject, "absent: the input is unchanged"),
  updatedPermissions: optional(array(permissionUpdate)),
  ...common,
});

const deny = object({
  behavior: literal("deny"),
  message: defaulted(string, NO_REASON, "shown to the model"),
  interrupt: optional(boolean, "true also ends the turn"),
  ...common,
});

/** The tool may run, perhaps with changed input or with new rules. */
export type PermissionAllow = Infer<typeof allow>;

/** The tool must not run. */
export type PermissionDeny = Infer<typeof deny>;

/** A host's decision about one tool call. */
export type PermissionResult = PermissionAllow | PermissionDeny;

/**
 * Reads a host's answer about a tool call and fails closed: only an unmistakable allow is one. An empty
 * `updatedInput` counts as none, so that "allowed, input unchanged" has a single form for the code that runs
 * the tool.
 */
export function readPermissionResult(value: unknown, reading = new Reading()): PermissionResult {
  const refused = (reason: string): PermissionDeny => {
    reading.repaired("coerced", value);
    return { behavior: "deny", message: `The host's answer ${reason}` };
  };
  const readAs = (schema: Schema<PermissionResult>, answer: JsonObject) => {
    const result = schema.read(answer, reading);
    return result === UNREADABLE ? refused("can't be read") : result;
  };
  if (!isJsonObject(value)) return refused("is not an object");
  if (value.behavior === "deny") return readAs(deny, value);
  if (value.behavior !== "allow") return refused("is neither allow nor deny");
  const { updatedInput, ...unchanged } = value;
  if (updatedInput === undefined || updatedInput === null || isEmpty(updatedInput)) {
    return readAs(allow, unchanged);
  }
  // Running the original input in place of an unreadable change could undo what the host removed from it.
  return isJsonObject(updatedInput)
    ? readAs(allow, value)
    : refused("has an updatedInput that is not an object");
}

/** The answer to `can_use_tool`; reading never fails, but denies in the worst case. */
export const permissionResult: Schema<PermissionResult> = {
  doc: () => ({ type: `${allow.doc().type} | ${deny.doc().type}` }),
  accepts: (value): value is PermissionResult =>
    deny.accepts(value) || (allow.accepts(value) && !isEmpty(value.updatedInput)),
  read: readPermissionResult,
};

const isEmpty = (value: unknown) => isJsonObject(value) && Object.keys(value).length === 0;
