import { about } from "../schema/about.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, literal, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { trailer } from "./trailer.ts";

/** How signing in gets on. */
export const authStatusMessage = about(
  "X",
  "Sent while the agent signs in, to hosts that ask for it.",
  object({
    type: literal("auth_status"),
    isAuthenticating: boolean,
    output: defaulted(array(string), []),
    error: optional(string),
    ...trailer,
  }),
);

/** How signing in gets on. */
export type AuthStatusMessage = Infer<typeof authStatusMessage>;
