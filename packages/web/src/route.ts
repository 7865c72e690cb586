/** What the console shows: it stands in the address, so that it can be linked to and gone back to. */
export type Route =
  | { readonly view: "home" }
  | { readonly view: "new" }
  | { readonly view: "session"; readonly id: string }
  | { readonly view: "health" }
  | { readonly view: "usage" };

/** Reads the part of an address after `#`. */
export function parseRoute(hash: string): Route {
  const [, view = "", id = ""] = /^#\/(\w*)\/?([\w-]*)$/.exec(hash) ?? [];
  if (view === "session" && id !== "") return { view, id };
  if (view === "new" || view === "health" || view === "usage") return { view };
  return { view: "home" };
}

/** The address of a view. */
export function hrefOf(route: Route): string {
  if (route.view === "home") return "#/";
  return route.view === "session" ? `#/session/${route.id}` : `#/${route.view}`;
}
