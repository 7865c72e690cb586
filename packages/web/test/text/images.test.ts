import { expect, test } from "vitest";
import { imagesOf } from "../../src/text/images.ts";

const block = (media_type: string, data: string) =>
  JSON.stringify([{ type: "image", source: { type: "base64", media_type, data } }]);

test("an image block is returned with its media type and data", () => {
  expect(imagesOf(block("image/png", "QUJD"))).toEqual([{ mediaType: "image/png", data: "QUJD" }]);
});

test.each([
  ["an image type that can contain scripts", block("image/svg+xml", "QUJD")],
  ["data that is not base64", block("image/png", '"><script>')],
  ["invalid JSON", '"image"{'],
  ["an object instead of a list", '{"type":"image"}'],
])("%s yields no images", (_, json) => {
  expect(imagesOf(json)).toEqual([]);
});
