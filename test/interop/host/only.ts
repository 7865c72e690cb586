import type { Call } from "./record.ts";

/** A call that differs from the others only in its options. */
export const only = (
  options: NonNullable<Call["options"]> extends (...args: never) => infer O ? O : never,
): Call => ({
  options: () => options,
});
