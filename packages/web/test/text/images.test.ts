import { expect, test } from "vitest";
import { imagesOf } from "../../src/text/images.ts";

const block = (media_type: string, data: string) =>
  JSON.stringify([{ type: "image", source: { type: "base64", media_type, data } }]);

test("images are taken as they are", () => {
  expect(imagesOf(block("image/png", "QUJD"))).toEqual([{ mediaType: "image/png", data: "QUJD" }]);
});

test.each([
  ["a kind that can hold scripts", block("image/svg+xml", "QUJD")],
  ["data that is none", block("image/png", '"><script>')],
  ["no JSON", '"image"{'],
  ["no blocks", '{"type":"image"}'],
])("%s is not an image", (_, json) => {
  expect(imagesOf(json)).toEqual([]);
});
