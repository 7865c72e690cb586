import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../test/any-character.ts";
import { MAX_BODY, MAX_ENTRIES, MAX_TITLE, MAX_VERSIONS } from "../../src/memory/limits.ts";
import { isSlug, trimSlashes } from "../../src/memory/slug.ts";
import { newMemory, put } from "./rig.ts";

describe("an entry", () => {
  test("is read as it was written", async () => {
    const { entries } = await newMemory();
    const draft = {
      slug: "projects/site/build",
      title: "How it is built",
      body: "npm run build\n",
      sourceSession: "s1",
    };
    expect(entries.write(draft)).toEqual({ kind: "created" });
    expect(entries.read("projects/site/build")).toEqual({
      ...draft,
      version: 1,
      isArchived: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(entries.read("projects/site")).toBeUndefined();
  });

  test("preserves any text", async () => {
    const { entries } = await newMemory();
    put(entries, "a", "before\0after 🙂");
    expect(entries.read("a")?.body).toBe("beforeafter 🙂");
  });

  test("keeps a limited number of earlier versions", async () => {
    const { entries } = await newMemory();
    const total = MAX_VERSIONS + 5;
    for (let i = 1; i <= total; i++) put(entries, "a", `text ${i}`);
    expect(entries.read("a")).toMatchObject({ version: total, body: `text ${total}` });
    const versions = entries.versions("a");
    expect(versions).toHaveLength(MAX_VERSIONS);
    expect(versions[0]).toMatchObject({ version: total - 1, body: `text ${total - 1}`, sourceSession: "s" });
  });

  test("gets no new version if nothing changes", async () => {
    const { entries } = await newMemory();
    put(entries, "a", "same");
    expect(entries.write({ slug: "a", title: "About a", body: "same", sourceSession: "t" })).toEqual({
      kind: "unchanged",
    });
    expect(entries.read("a")).toMatchObject({ version: 1, sourceSession: "s" });
  });

  test("that is archived is hidden until it is written again", async () => {
    const { entries } = await newMemory();
    put(entries, "a", "the walrus");
    expect(entries.archive("a")).toEqual({ kind: "archived" });
    expect(entries.archive("a")).toEqual({ kind: "unchanged" });
    expect(entries.search("walrus", 5)).toEqual([]);
    expect(entries.titles()).toEqual([]);
    expect(entries.read("a")).toMatchObject({ isArchived: true, body: "the walrus" });
    expect(entries.write({ slug: "a", title: "About a", body: "the walrus", sourceSession: "s" })).toEqual({
      kind: "updated",
    });
    expect(entries.search("walrus", 5)).toHaveLength(1);
    expect(entries.archive("b")).toMatchObject({ kind: "refused" });
  });

  test.each([
    ["a slug with a space", { slug: "a b" }, "slug"],
    ["a slug with capitals", { slug: "Projects/a" }, "slug"],
    ["a slug with ..", { slug: "a/../b" }, "slug"],
    ["a slug of seven parts", { slug: "a/b/c/d/e/f/g" }, "slug"],
    ["a huge slug", { slug: "a/".repeat(100_000) }, "slug"],
    ["an empty slug", { slug: "" }, "slug"],
    ["an empty title", { title: " " }, "title"],
    ["a title of two lines", { title: "a\nb" }, "one line"],
    ["a title that reverses the text direction", { title: "a\u202Eb" }, "one line"],
    ["a long title", { title: "x".repeat(MAX_TITLE + 1) }, `${MAX_TITLE} are allowed`],
    ["an empty body", { body: "\n" }, "body"],
    ["a long body", { body: "x".repeat(MAX_BODY + 1) }, `${MAX_BODY} are allowed`],
  ])("is refused with %s", async (_, wrong, reason) => {
    const { entries } = await newMemory();
    const change = entries.write({ slug: "a", title: "t", body: "b", sourceSession: "s", ...wrong });
    expect(change).toMatchObject({ kind: "refused", reason: expect.stringContaining(reason) });
    expect(entries.titles()).toEqual([]);
  });

  test("is refused if the memory is full, until another is archived", async () => {
    const { db, entries } = await newMemory();
    db.transaction(() => {
      for (let i = 0; i < MAX_ENTRIES; i++) put(entries, `e${i}`, "x");
    });
    const more = { slug: "more", title: "t", body: "b", sourceSession: "s" };
    expect(entries.write(more)).toMatchObject({ kind: "refused", reason: expect.stringContaining("full") });
    put(entries, "e7", "a change of what there is is no more");
    entries.archive("e7");
    expect(entries.write(more)).toEqual({ kind: "created" });
  });
});

test("the index contains all entries that are not archived, after any sequence of changes", async () => {
  const { db, entries } = await newMemory();
  const slug = fc.constantFrom("a", "a/b", "c");
  const action = fc.oneof(
    fc.record({ slug, body: fc.constantFrom("apple", "pear", "plum") }),
    fc.record({ slug, body: fc.constant(undefined) }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
      for (const { slug: at, body } of actions) {
        if (body === undefined) entries.archive(at);
        else put(entries, at, body);
      }
      for (const word of ["apple", "pear", "plum"]) {
        const found = entries.search(word, 10).map((entry) => entry.slug);
        const live = entries.titles().map((entry) => entry.slug);
        expect(found.sort()).toEqual(live.filter((at) => entries.read(at)?.body === word));
      }
      const row = db.statement("SELECT count(*) AS n FROM memory_index").get();
      expect(row?.n).toBe(entries.titles().length);
    }),
  );
});

test("parsing a slug returns a valid one and never throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const slug = trimSlashes(text);
      expect(slug.startsWith("/") || slug.endsWith("/")).toBe(false);
      if (isSlug(slug)) expect(slug).toMatch(/^[a-z0-9._/-]+$/);
    }),
  );
});
