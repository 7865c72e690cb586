import { AccessScope } from "@agentwire/api";

/** What a client may do, from least to most; each one includes those before it. */
export const SCOPES = {
  observe: AccessScope.OBSERVE,
  answer: AccessScope.ANSWER,
  drive: AccessScope.DRIVE,
  admin: AccessScope.ADMIN,
} as const;

/** One of them, by its name. */
export type Scope = keyof typeof SCOPES;

/** Whether a scope includes another. */
export const covers = (has: Scope, needed: Scope): boolean => SCOPES[has] >= SCOPES[needed];

/** Whether something is the name of a scope. */
export const isScope = (name: unknown): name is Scope =>
  typeof name === "string" && Object.hasOwn(SCOPES, name);

const NAMES: ReadonlyMap<number, Scope> = new Map(
  Object.entries(SCOPES).map(([name, value]) => [value, name as Scope]),
);

/** The name of a number of the contract; undefined for one that means nothing. */
export const scopeOf = (value: number): Scope | undefined => NAMES.get(value);
