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

describe("the status of the input", () => {
  test.each([
    ["is everybody when no one holds it", "", [], "everybody", ""],
    ["is free to ask when another client holds it", "ann", [], "free to ask", "Only ann may send now."],
    [
      "is waiting after we asked",
      "ann",
      [asks("web-us")],
      "waiting",
      `ann was asked for the input. If they don't answer, you get it at ${clock(UNTIL_MS)}.`,
    ],
    [
      "is refused after our request was refused",
      "ann",
      [asks("web-us"), refused("web-us")],
      "refused",
      "ann keeps the input.",
    ],
    [
      "is waiting after we asked again",
      "ann",
      [asks("web-us"), refused("web-us"), asks("web-us")],
      "waiting",
      `ann was asked for the input. If they don't answer, you get it at ${clock(UNTIL_MS)}.`,
    ],
    [
      "is not refused when only another client was refused",
      "ann",
      [refused("bob")],
      "free to ask",
      "Only ann may send now.",
    ],
    [
      "is ours when the holder did not answer in time",
      "ann",
      [asks("web-us"), held("web-us", "the holder did not answer in time")],
      "ours",
      "Only you may send now: the holder did not answer in time.",
    ],
    [
      "is ours after we took it by force",
      "ann",
      [held("web-us", "they took it")],
      "ours",
      "Only you may send now.",
    ],
    [
      "is free to ask after another client took it from us",
      "web-us",
      [held("ann", "they took it")],
      "free to ask",
      "Only ann may send now: they took it.",
    ],
    [
      "is everybody after the holder gave it up",
      "ann",
      [asks("web-us"), held("", "the holder gave it up")],
      "everybody",
      "",
    ],
    [
      "is ours under the extended name that the daemon gives us",
      "web-us (token laptop)",
      [asks("bob")],
      "ours",
      "Only you may send, and bob has asked for the input.",
    ],
    ["is not ours because of a similar name", "web-us2", [], "free to ask", "Only web-us2 may send now."],
  ] as const)("%s", (_, holder, bodies, type, words) => {
    const { standing, words: said } = after(holder, bodies);
    expect(standing.type).toBe(type);
    expect(said).toBe(words);
  });

  test("lists open requests, oldest first, until each is answered", () => {
    const { standing } = after("web-us", [asks("bob"), asks("cyd"), asks("dan"), refused("cyd")]);
    expect(standing).toMatchObject({ requests: [{ client: "bob" }, { client: "dan" }] });
  });
});
