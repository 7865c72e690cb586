import type { Event } from "@agentwire/api";
import { heldBy, inputAfter, inputStatusOf } from "@agentwire/view/facts";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { type Body, Events } from "../../../view/test/timeline/events.ts";
import { clientNamed } from "../../src/client.ts";
import { clock, inputWords } from "../../src/text/words.ts";

const UNTIL_MS = Date.UTC(2026, 0, 1, 12);
const { isUs } = clientNamed("web-us", "http://localhost", () => []);
const asks = (client: string): Body => ({
  case: "inputRequest",
  value: { client, holder: "ann", expiresAt: timestampFromMs(UNTIL_MS) },
});
const refused = (client: string): Body => ({
  case: "inputRefusal",
  value: { client, holder: "ann", reason: "it was refused" },
});
const held = (client: string, reason: string): Body => ({
  case: "inputHolderChange",
  value: { client, previous: "ann", reason },
});

function after(holder: string, bodies: readonly Body[]) {
  const events = new Events();
  const input = bodies.map((body): Event => events.next(body)).reduce(inputAfter, heldBy(holder));
  const standing = inputStatusOf(input, isUs);
  return { standing, words: inputWords(standing, input) };
}

describe("the input is", () => {
  test.each([
    ["everybody's", "", [], "everybody", ""],
    ["somebody's whom we may ask", "ann", [], "free to ask", "Only ann may send now."],
    [
      "waited for",
      "ann",
      [asks("web-us")],
      "waiting",
      `ann was asked for the input. If they don't answer, you get it at ${clock(UNTIL_MS)}.`,
    ],
    ["refused us", "ann", [asks("web-us"), refused("web-us")], "refused", "ann keeps the input."],
    [
      "waited for again",
      "ann",
      [asks("web-us"), refused("web-us"), asks("web-us")],
      "waiting",
      `ann was asked for the input. If they don't answer, you get it at ${clock(UNTIL_MS)}.`,
    ],
    [
      "not refused us when others were refused",
      "ann",
      [refused("bob")],
      "free to ask",
      "Only ann may send now.",
    ],
    [
      "ours when the time is over",
      "ann",
      [asks("web-us"), held("web-us", "the holder did not answer in time")],
      "ours",
      "Only you may send now: the holder did not answer in time.",
    ],
    ["ours by force", "ann", [held("web-us", "they took it")], "ours", "Only you may send now."],
    [
      "somebody's who took it from us",
      "web-us",
      [held("ann", "they took it")],
      "free to ask",
      "Only ann may send now: they took it.",
    ],
    [
      "everybody's when the holder gave it up",
      "ann",
      [asks("web-us"), held("", "the holder gave it up")],
      "everybody",
      "",
    ],
    [
      "ours under the name that the daemon gives us",
      "web-us (token laptop)",
      [asks("bob")],
      "ours",
      "Only you may send, and bob has asked for the input.",
    ],
    ["not ours because of a name like ours", "web-us2", [], "free to ask", "Only web-us2 may send now."],
  ] as const)("%s", (_, holder, bodies, type, words) => {
    const { standing, words: said } = after(holder, bodies);
    expect(standing.type).toBe(type);
    expect(said).toBe(words);
  });

  test("asked for by several, longest first, until each is answered", () => {
    const { standing } = after("web-us", [asks("bob"), asks("cyd"), asks("dan"), refused("cyd")]);
    expect(standing).toMatchObject({ requests: [{ client: "bob" }, { client: "dan" }] });
  });
});
