/** What usage can be added up by. */
export type Grouping = "day" | "model" | "session";

/** Which usage is wanted, and where the page begins. */
export interface UsageQuery {
  readonly by: Grouping;
  readonly fromDay: string;
  readonly toDay: string;
  /** Empty for that of all sessions. */
  readonly sessionId: string;
  /** The last key of the page before; undefined for the first one. */
  readonly after: string | undefined;
  readonly limit: number;
}
