/** Pages that need nothing but their name. */
const PAGES = [
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

/** The name of such a page. */
export type PageName = (typeof PAGES)[number];

/** What the console shows. It is part of the address, so that it can be linked to and gone back to. */
export type Route =
  | { readonly view: PageName }
  /** `seq` is the event that is shown; without it the latest. */
  | { readonly view: "session"; readonly id: string; readonly seq?: number }
  | { readonly view: "search"; readonly query: string };

/** Reads the part of an address after `#`. */
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

/** A part of an address as it was before it was encoded; as it is if it never was. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
