import { expect, test } from "vitest";
import { hrefOf, parseRoute, type Route } from "../src/route.ts";

test.each<Route>([
  { view: "home" },
  { view: "new" },
  { view: "health" },
  { view: "usage" },
  { view: "rules" },
  { view: "mcp" },
  { view: "hooks" },
  { view: "device" },
  { view: "nodes" },
  { view: "local" },
  { view: "session", id: "3f2a91c0-0000" },
  { view: "session", id: "3f2a91c0-0000", seq: 17 },
  { view: "search", query: "50% of a/b #1" },
  { view: "search", query: "" },
])("the address of %j leads back to it", (route) => {
  expect(parseRoute(hrefOf(route))).toEqual(route);
});

test.each(["", "#", "#/nonsense", "#/session/", "#/session/../x", "#main"])("%j leads home", (hash) => {
  expect(parseRoute(hash)).toEqual({ view: "home" });
});
