/** Pages that need nothing but their name. */
const PAGES = ["home", "new", "health", "usage"] as const;

/** What the console shows. It is part of the address, so that it can be linked to and gone back to. */
export type Route =
  | { readonly view: (typeof PAGES)[number] }
  | { readonly view: "session"; readonly id: string };

/** Reads the part of an address after `#`. */
export function parseRoute(hash: string): Route {
  const [, view = "", id = ""] = /^#\/(\w*)\/?([\w-]*)$/.exec(hash) ?? [];
  if (view === "session" && id !== "") return { view, id };
  return { view: PAGES.find((page) => page === view) ?? "home" };
}

/** The address of a view. */
export function hrefOf(route: Route): string {
  if (route.view === "home") return "#/";
  return route.view === "session" ? `#/session/${route.id}` : `#/${route.view}`;
}
