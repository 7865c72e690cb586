import { AccessScope } from "@agentwire/api";

/** What a token may do, by the words that people use. */
export const SCOPES = {
  observe: AccessScope.OBSERVE,
  answer: AccessScope.ANSWER,
  drive: AccessScope.DRIVE,
  admin: AccessScope.ADMIN,
} as const;

export const scopeName = (scope: AccessScope): string =>
  Object.entries(SCOPES).find(([, value]) => value === scope)?.[0] ?? "unknown";
