import { encodeLine, Unknown } from "@agentwire/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computingMs } from "../../../../test/computing-time.ts";
import { defaultConfig } from "../../src/config.ts";
import { limitPayload, truncationMarker } from "../../src/session/payload.ts";

const encodedBytes = (value: unknown): number => Buffer.byteLength(encodeLine(value)) - 1;

function limited<T>(value: T, maxBytes: number): T {
  const result = limitPayload(value, { maxBytes });
  if (!result.fits) throw new Error(`does not fit: ${result.originalBytes}`);
  return result.value;
}

// Every width a UTF-16 unit can take when encoded, including surrogate pairs and lone surrogates.
const unit = fc.constantFrom(
  ...'ab"\\\n\t\u0000\u001f\u007f\u00e9\u2028\u2029\u20ac',
  "😀",
  "\ud83d",
  "\ude00",
);
const text = fc.oneof(
  fc.string({ unit, maxLength: 60 }),
  fc.string({ unit, minLength: 100, maxLength: 900 }),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.constantFrom(null, true, 0, -1.5e300),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.oneof(text, fc.constant("__proto__")), tie("value"), { maxKeys: 5 }),
  ),
})).value;
// A limit near the size of the value, so that many cases need truncation and succeed with it.
const share = fc.double({ min: 0.2, max: 1.1, noNaN: true });
const withLimit = <T>(value: fc.Arbitrary<T>) =>
  fc.tuple(value, share).map(([value, share]) => ({ value, limit: Math.floor(encodedBytes(value) * share) }));
const message = withLimit(fc.array(json, { minLength: 1, maxLength: 8 }));
const texts = withLimit(fc.array(text, { minLength: 1, maxLength: 12 }));

describe("limitPayload", () => {
  test("leaves a message of exactly the daemon's default limit whole", () => {
    const { maxPayloadBytes: maxBytes } = defaultConfig({}, "/");
    expect(maxBytes).toBe(10_485_760);
    const exact = "x".repeat(maxBytes - 2);
    expect(limitPayload(exact, { maxBytes })).toEqual({
      fits: true,
      value: exact,
      originalBytes: maxBytes,
      cutStrings: 0,
    });
    expect(limitPayload(`${exact}x`, { maxBytes })).toMatchObject({
      fits: true,
      originalBytes: 10_485_761,
      cutStrings: 1,
    });
  });

  test("ends a truncated string with the size of the original message", () => {
    const message = { type: "user", text: "x".repeat(1000) };
    const original = encodedBytes(message);
    const result = limited(message, 500);
    const marker = `[truncated: original_size=${original} bytes]`;
    expect(result.text.endsWith(`x${marker}`)).toBe(true);
    expect(truncationMarker(original)).toBe(marker);
    expect(result.type).toBe("user");
    expect(encodedBytes(result)).toBe(500);
  });

  test("truncates the longest strings to a common length and leaves the others whole", () => {
    const message = [
      "a".repeat(10_000),
      "b".repeat(400),
      "c".repeat(6000),
      "d".repeat(255),
      "e".repeat(8000),
    ];
    const [a = "", b, c = "", d, e = ""] = limited(message, 4000);
    expect([b, d]).toEqual([message[1], message[3]]);
    expect(new Set([a.length, c.length, e.length]).size).toBe(1);
    expect(encodedBytes([a, b, c, d, e])).toBeGreaterThan(4000 - 5);
  });

  test("leaves a string whole that has exactly the common length", () => {
    const message = ["a".repeat(1000), "b".repeat(500)];
    const [a, b] = limited(message, encodedBytes(message) - 500);
    expect(a).toHaveLength(500);
    expect(b).toBe(message[1]);
  });

  test("reports when truncating strings is not enough", () => {
    const strings = (length: number) => Array.from({ length: 100 }, () => "x".repeat(length));
    const short = strings(255);
    expect(limitPayload(short, { maxBytes: 20_000 })).toEqual({
      fits: false,
      originalBytes: encodedBytes(short),
    });
    expect(limitPayload(strings(256), { maxBytes: 20_000 })).toMatchObject({ fits: true, cutStrings: 100 });
    const numbers = Array.from({ length: 1000 }, (_, i) => i);
    expect(limitPayload(numbers, { maxBytes: 1000 })).toMatchObject({ fits: false });
    expect(limitPayload("x".repeat(1000), { maxBytes: 10 })).toEqual({ fits: false, originalBytes: 1002 });
  });

  test("never truncates a key", () => {
    const message = { ["k".repeat(5000)]: "v" };
    expect(limitPayload(message, { maxBytes: 1000 })).toMatchObject({ fits: false });
  });

  test("can truncate a string down to its marker", () => {
    const marker = truncationMarker(1002);
    expect(limited("x".repeat(1000), marker.length + 2)).toBe(marker);
    expect(limitPayload("x".repeat(1000), { maxBytes: marker.length + 1 })).toMatchObject({ fits: false });
  });

  test.each([
    ["a quote", '"', 2],
    ["a backslash", "\\", 2],
    ["a newline", "\n", 2],
    ["a backspace", "\b", 2],
    ["a vertical tab", "\v", 6],
    ["a null", "\u0000", 6],
    ["a delete character", "\u007f", 6],
    ["a letter", "a", 1],
    ["an accented letter", "é", 2],
    ["the euro sign", "€", 3],
    ["a line separator", "\u2028", 6],
    ["a surrogate pair", "😀", 4],
    ["a lone high surrogate", "\ud83d", 6],
    ["a lone low surrogate", "\ude00", 6],
  ])("counts %s as the encoder writes it", (_title, character, bytes) => {
    const message = character.repeat(1000);
    const originalBytes = 1000 * bytes + 2;
    const marker = truncationMarker(originalBytes);
    const result = limitPayload(message, { maxBytes: marker.length + 2 + 10 * bytes });
    expect(result).toEqual({
      fits: true,
      value: character.repeat(10) + marker,
      originalBytes,
      cutStrings: 1,
    });
  });

  test("never splits a surrogate pair", () => {
    const message = "😀".repeat(500);
    const marker = truncationMarker(encodedBytes(message));
    for (let room = 0; room < 12; room++) {
      const kept = Math.floor(room / 4);
      expect(limited(message, marker.length + 2 + room)).toBe("😀".repeat(kept) + marker);
    }
  });

  test("shares the parts it does not change", () => {
    const message = { kept: { list: [1, { a: "b" }] }, cut: { inner: ["x".repeat(5000), "y"] }, tail: [{}] };
    const result = limited(message, 1000);
    expect(result).not.toBe(message);
    expect(result.kept).toBe(message.kept);
    expect(result.tail).toBe(message.tail);
    expect(result.cut.inner).not.toBe(message.cut.inner);
  });

  test("keeps own members named __proto__ and the order of members", () => {
    const message = JSON.parse(`{"z":1,"__proto__":{"__proto__":"${"x".repeat(5000)}","a":2},"b":3}`);
    const result = limited(message, 1000);
    expect(Object.keys(result)).toEqual(["z", "__proto__", "b"]);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(encodeLine(result)).toMatch(
      /^\{"z":1,"__proto__":\{"__proto__":"x+\[truncated: [^\]]+\]","a":2\},"b":3\}\n$/,
    );
  });

  test("truncates at a depth of 512", () => {
    const nested = (inner: string) => `${'[{"a":'.repeat(256)}${inner}${"}]".repeat(256)}`;
    const result = limited(JSON.parse(nested(JSON.stringify("x".repeat(5000)))), 4000);
    expect(encodedBytes(result)).toBe(4000);
  });

  test("takes time proportional to the size, for many strings as for one", () => {
    const many = Array.from({ length: 40_000 }, (_, i) => "é".repeat(200 + (i % 100)));
    const start = computingMs();
    expect(limitPayload(many, { maxBytes: 8_000_000 })).toMatchObject({ fits: true });
    expect(limitPayload("\n".repeat(20_000_000), { maxBytes: 10_485_760 })).toMatchObject({ fits: true });
    expect(computingMs() - start).toBeLessThan(5000);
  });

  test("returns valid JSON of bounded size, or reports that it can't", () => {
    fc.assert(
      fc.property(message, ({ value, limit }) => {
        const result = limitPayload(value, { maxBytes: limit });
        expect(result.originalBytes).toBe(encodedBytes(value));
        if (!result.fits) return;
        expect(encodedBytes(result.value)).toBeLessThanOrEqual(limit);
        expect(encodeLine(JSON.parse(encodeLine(result.value)))).toBe(encodeLine(result.value));
        expect(result.cutStrings > 0).toBe(result.originalBytes > limit);
      }),
      { numRuns: 500 },
    );
  });

  test("truncates inside unknown messages, which keep their type", () => {
    const payload = { type: "news", text: "x".repeat(5000) };
    const block = new Unknown("news", payload);
    const cut = limited({ type: "assistant", message: { content: [block] } }, 1000);
    expect(encodedBytes(cut)).toBe(1000);
    expect(cut.message.content[0]).toBeInstanceOf(Unknown);
    expect(JSON.parse(encodeLine(cut)).message.content[0]).toEqual({
      type: "news",
      text: expect.stringMatching(/^x+\[truncated: original_size=\d+ bytes\]$/),
    });
  });

  test("does not change its input, and returns a result that fits unchanged", () => {
    fc.assert(
      fc.property(message, ({ value, limit }) => {
        const before = encodeLine(value);
        const result = limitPayload(value, { maxBytes: limit });
        expect(encodeLine(value)).toBe(before);
        if (!result.fits) return;
        const again = limitPayload(result.value, { maxBytes: limit });
        expect(again.fits && again.value).toBe(result.value);
      }),
      { numRuns: 300 },
    );
  });

  test("truncates only strings of 256 bytes or more, each to a prefix and the marker", () => {
    fc.assert(
      fc.property(texts, ({ value, limit }) => {
        const result = limitPayload(value, { maxBytes: limit });
        if (!result.fits) return;
        const marker = truncationMarker(result.originalBytes);
        for (const [index, original] of value.entries()) {
          const kept = result.value[index] ?? "";
          if (kept === original) continue;
          expect(encodedBytes(original) - 2).toBeGreaterThanOrEqual(256);
          expect(kept.endsWith(marker)).toBe(true);
          expect(original.startsWith(kept.slice(0, -marker.length))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
