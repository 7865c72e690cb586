import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../test/any-character.ts";
import { newMemory, put } from "./rig.ts";

describe("a search", () => {
  test("ranks the best match first, and shows the matching part", async () => {
    const { entries } = await newMemory();
    put(entries, "projects/site/build", "Run npm run build; it takes a minute.", "Building the site");
    put(
      entries,
      "projects/site/deploy",
      `${"Words of no interest. ".repeat(40)}After the build it goes to the server by rsync.`,
    );
    put(entries, "user/tea", "Green, no sugar.");
    const found = entries.search("how to BUILD", 10);
    expect(found.map(({ slug }) => slug)).toEqual(["projects/site/build", "projects/site/deploy"]);
    expect(found[1]?.snippet).toContain("rsync");
    expect(found[1]?.snippet.length).toBeLessThan(400);
    expect(entries.search("build", 1)).toHaveLength(1);
  });

  test.each([
    ["words with other endings", "deploying servers", "Deploys go to one server"],
    ["the start of a word", "kubern", "It runs on Kubernetes"],
    ["words without accents", "uber cafe", "Über das Café"],
    ["part of a Chinese sentence", "数据库", "我们的数据库在本地"],
    ["a term that is not a word", "C++", "Written in C++ and proud of it"],
    ["a name with dots", "tsconfig.base.json", "Options are in tsconfig.base.json"],
    ["a slug", "projects/x", "anything"],
  ])("finds %s", async (_, query, body) => {
    const { entries } = await newMemory();
    put(entries, "projects/x", body, "A note");
    put(entries, "other", "Something else, certainly");
    expect(entries.search(query, 5)[0]?.slug).toBe("projects/x");
  });

  test("reflects every change of an entry", async () => {
    const { entries } = await newMemory();
    put(entries, "a", "apples");
    put(entries, "a", "pears");
    expect(entries.search("apples", 5)).toEqual([]);
    expect(entries.search("pears", 5)).toHaveLength(1);
  });

  test.each([
    ["a quote", '"'],
    ["an empty phrase", '""'],
    ["half an operator", "a AND"],
    ["an operator", "NOT"],
    ["a function", "NEAR(a b)"],
    ["a column", "title:a"],
    ["several columns", "{slug title}: a"],
    ["stars", "a* *"],
    ["a caret", "^a"],
    ["a minus", "a -b"],
    ["a parenthesis", "( a"],
    ["SQL", "'; DROP TABLE memory_entries; --"],
    ["a zero", "a\0b"],
    ["only a zero", "\0"],
    ["wildcards of LIKE", "%_"],
    ["a backslash", "\\"],
    ["an emoji", "🙂"],
    ["half a character", "\uD800"],
    ["a very long word", "a".repeat(100_000)],
    ["endless words", "a ".repeat(50_000)],
    ["nothing", ""],
    ["blanks", "   "],
  ])("treats %s as plain text", async (_, query) => {
    const { entries } = await newMemory();
    put(entries, "a", "a title b");
    expect(Array.isArray(entries.search(query, 5))).toBe(true);
    expect(entries.titles()).toHaveLength(1);
  });

  test("never throws, whatever the query", async () => {
    const { entries } = await newMemory();
    put(entries, "a", "some text about NEAR and AND");
    const tricky = fc.constantFrom(
      '"',
      "*",
      "AND",
      "OR",
      "NOT",
      "NEAR",
      "(",
      ")",
      ":",
      "^",
      "-",
      "+",
      "text",
      "\0",
    );
    const query = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.array(tricky, { maxLength: 12 }).map((parts) => parts.join(" ")),
    );
    fc.assert(
      fc.property(query, (text) => {
        entries.search(text, 5);
      }),
      { numRuns: 500 },
    );
  });
});
