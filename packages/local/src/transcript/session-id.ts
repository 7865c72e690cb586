const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Tells whether a value can name a session; only such a one ever becomes part of a path. */
export const isSessionId = (value: unknown): value is string => typeof value === "string" && UUID.test(value);
