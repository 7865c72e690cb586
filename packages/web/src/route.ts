/** Pages without parameters. */
export const PAGES = [
  "home",
  "new",
  "local",
  "health",
  "usage",
  "rules",
  "mcp",
  "hooks",
  "device",
  "nodes",
] as const;

/** The name of a page without parameters. */
export type PageName = (typeof PAGES)[number];

/** What the console shows. It is encoded in the address, so links and the Back button work. */
export type Route =
  | { readonly view: PageName }
  /** `seq` is the event to show; the latest if omitted. */
  | { readonly view: "session"; readonly id: string; readonly seq?: number }
  | { readonly view: "search"; readonly query: string };

/** Parses the part of an address after `#`. */
export function parseRoute(hash: string): Route {
  const [, view = "", id = "", seq = ""] = /^#\/(\w*)\/?([^/]*)\/?(\d*)$/.exec(hash) ?? [];
  if (view === "session" && /^[\w-]+$/.test(id)) return { view, id, ...(seq !== "" && { seq: Number(seq) }) };
  if (view === "search") return { view, query: decoded(id) };
  return { view: PAGES.find((page) => page === view) ?? "home" };
}

/** The address of a view. */
export function hrefOf(route: Route): string {
  if (route.view === "home") return "#/";
  if (route.view === "search") return `#/search/${encodeURIComponent(route.query)}`;
  if (route.view !== "session") return `#/${route.view}`;
  return `#/session/${route.id}${route.seq === undefined ? "" : `/${route.seq}`}`;
}

/** Decodes a part of an address; returns it unchanged if it is not validly encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
