import { expect, test } from "vitest";
import { hrefOf, PAGES, parseRoute, type Route } from "../src/route.ts";

test.each<Route>([
  ...PAGES.map((view) => ({ view })),
  { view: "session", id: "3f2a91c0-0000" },
  { view: "session", id: "3f2a91c0-0000", seq: 17 },
  { view: "search", query: "50% of a/b #1" },
  { view: "search", query: "" },
])("the route %j survives a round trip through its address", (route) => {
  expect(parseRoute(hrefOf(route))).toEqual(route);
});

test.each(["", "#", "#/nonsense", "#/session/", "#/session/../x", "#main"])(
  "the address %j leads to the start page",
  (hash) => {
    expect(parseRoute(hash)).toEqual({ view: "home" });
  },
);
