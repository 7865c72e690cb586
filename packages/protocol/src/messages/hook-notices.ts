import { defaulted, optional } from "../schema/object.ts";
import { number, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { about } from "../schema/schema.ts";
import { system } from "./common.ts";

const hook = {
  hook_id: string,
  hook_name: defaulted(string, ""),
  hook_event: defaulted(string, ""),
};

const output = {
  output: defaulted(string, ""),
  stdout: defaulted(string, ""),
  stderr: defaulted(string, ""),
};

/** A hook from the settings has started. */
export const hookStartedMessage = about(
  "R",
  "Sent for hooks that run at the start of a session, and for all others when the host asks for hook events.",
  system("hook_started", hook),
);

/** A hook from the settings has started. */
export type HookStartedMessage = Infer<typeof hookStartedMessage>;

/** A hook has written something. */
export const hookProgressMessage = about(
  "X",
  "Sent while a hook runs, with what it has written so far.",
  system("hook_progress", { ...hook, ...output }),
);

/** A hook has written something. */
export type HookProgressMessage = Infer<typeof hookProgressMessage>;

/** A hook has ended. */
export const hookResponseMessage = about(
  "R",
  "Sent when an announced hook has ended.",
  system("hook_response", {
    ...hook,
    ...output,
    exit_code: optional(number),
    outcome: oneOf("success", "error", "cancelled"),
  }),
);

/** A hook has ended. */
export type HookResponseMessage = Infer<typeof hookResponseMessage>;
