/** What usage can be grouped by. */
export type Grouping = "day" | "model" | "session";

/** Which usage to list, and where the page starts. */
export interface UsageQuery {
  readonly by: Grouping;
  readonly fromDay: string;
  readonly toDay: string;
  /** Empty for all sessions. */
  readonly sessionId: string;
  /** The last key of the previous page; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}
