import type { DecideRequestSchema } from "@agentwire/api";
import type { MessageInitShape } from "@bufbuild/protobuf";

/** What is decided about a permission question, as the daemon takes it. */
export type Decision = NonNullable<MessageInitShape<typeof DecideRequestSchema>["decision"]>;

/** Where a rule of "always" is kept. */
export type Scope = "project" | "user";

export const allowOnce = (updatedInputJson = ""): Decision => ({
  case: "allow",
  value: { updatedInputJson },
});

export const allowForSession = (rule: string): Decision => ({
  case: "allow",
  value: { lasting: { case: "sessionRule", value: rule } },
});

export const allowAlways = (rule: string, scope: Scope): Decision => ({
  case: "allow",
  value: { lasting: { case: "always", value: { rule, scope } } },
});

export const deny = (message: string, stop = false): Decision => ({ case: "deny", value: { message, stop } });
