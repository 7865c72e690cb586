import { AccessScope } from "@agentwire/api";

/** The scopes, from least to most privileged; each includes those before it. */
export const SCOPES = {
  observe: AccessScope.OBSERVE,
  answer: AccessScope.ANSWER,
  drive: AccessScope.DRIVE,
  admin: AccessScope.ADMIN,
} as const;

/** The name of a scope. */
export type Scope = keyof typeof SCOPES;

/** Whether a scope includes another. */
export const covers = (has: Scope, needed: Scope): boolean => SCOPES[has] >= SCOPES[needed];

/** Whether a value is the name of a scope. */
export const isScope = (name: unknown): name is Scope =>
  typeof name === "string" && Object.hasOwn(SCOPES, name);

const NAMES: ReadonlyMap<number, Scope> = new Map(
  Object.entries(SCOPES).map(([name, value]) => [value, name as Scope]),
);

/** The name for a number of the API; undefined for an unknown one. */
export const scopeOf = (value: number): Scope | undefined => NAMES.get(value);
