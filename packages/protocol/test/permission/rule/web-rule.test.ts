import { describe, expect, test } from "vitest";
import type { RuleBehavior } from "../../../src/permission/rule/given-rule.ts";
import { judge } from "../../../src/permission/rule/judge.ts";
import { CONTEXT, given } from "./given.ts";

const fetchWith = (behavior: RuleBehavior, content: string, url: unknown) =>
  judge({ toolName: "WebFetch", input: { url } }, [given(behavior, `WebFetch(${content})`)], CONTEXT)
    .behavior;

describe("an allow rule for a domain", () => {
  test.each([
    ["domain:example.com", "https://example.com"],
    ["domain:example.com", "https://example.com/a?b#c"],
    ["domain:example.com", "http://EXAMPLE.com:8080/"],
    ["domain:example.com", "https://example.com./"],
    ["domain:Example.COM.", "https://example.com/"],
    ["domain:example.com", "https://example.com/@evil.com"],
    ["domain:example.com", "https://ex%61mple.com/"],
    ["domain:*.example.com", "https://a.example.com/"],
    ["domain:*.example.com", "https://a.b.example.com/"],
    ["domain:bücher.example", "https://xn--bcher-kva.example/"],
    ["domain:xn--bcher-kva.example", "https://BÜCHER.example/"],
    ["domain:127.0.0.1", "http://0x7f.1/"],
    ["domain:[::1]", "http://[0:0::1]:80/"],
    ["domain:localhost", "http://localhost:3000/"],
    ["domain:*", "https://anything.example/"],
  ])("%s covers %s", (content, url) => {
    expect(fetchWith("allow", content, url)).toBe("allow");
  });

  test.each([
    ["domain:good.com", "https://good.com@evil.com/"],
    ["domain:good.com", "https://good.com:x@evil.com/"],
    ["domain:good.com", "https://user@good.com/"],
    ["domain:good.com", "https://good.com%40evil.com/"],
    ["domain:good.com", "https:///good.com/"],
    ["domain:good.com", "https://evil.com/good.com"],
    ["domain:good.com", "https://evil.com?good.com"],
    ["domain:good.com", "https://evil.com#@good.com"],
    ["domain:good.com", "https://evil.com\\@good.com"],
    ["domain:good.com", "https://good.com\\.evil.com"],
    ["domain:good.com", "https://good.com.evil.com/"],
    ["domain:good.com", "https://evilgood.com/"],
    ["domain:good.com", "https://a.good.com/"],
    ["domain:good.com", "https://good.co/"],
    ["domain:good.com", "https://good.com../"],
    ["domain:good.com", "https://g\u043e\u043ed.com/"],
    ["domain:good.com", "ftp://good.com/"],
    ["domain:good.com", "file://good.com/etc/passwd"],
    ["domain:good.com", "javascript:good.com"],
    ["domain:good.com", "good.com"],
    ["domain:good.com", "//good.com"],
    ["domain:good.com", "https:good.com"],
    ["domain:good.com", " https://good.com/"],
    ["domain:good.com", "https://good.com/\n"],
    ["domain:good.com", "https://go\tod.com/"],
    ["domain:good.com", "https://good.com\u200b/"],
    ["domain:good.com", "https://"],
    ["domain:good.com", ""],
    ["domain:good.com", undefined],
    ["domain:good.com", ["https://good.com/"]],
    ["domain:*.good.com", "https://good.com/"],
    ["domain:*.good.com", "https://evilgood.com/"],
    ["domain:*.good.com", "https://a.good.com.evil.com/"],
    ["domain:*good.com", "https://good.com/"],
    ["domain:go*.com", "https://good.com/"],
    ["domain:good.com:443", "https://good.com/"],
    ["domain:good.com/x", "https://good.com/x"],
    ["domain:x@good.com", "https://good.com/"],
    ["domain:", "https://good.com/"],
    ["domain:*.", "https://good.com/"],
    ["good.com", "https://good.com/"],
    ["https://good.com/", "https://good.com/"],
    ["DOMAIN:good.com", "https://good.com/"],
  ])("%s does not cover %j", (content, url) => {
    expect(fetchWith("allow", content, url)).toBe("none");
  });
});

describe("a deny rule for a domain", () => {
  test.each([
    ["domain:evil.com", "https://evil.com/", "deny"],
    ["domain:evil.com", "https://good.com@evil.com/", "deny"],
    ["domain:evil.com", "https://EVIL.com.:8443/", "deny"],
    ["domain:evil.com", "https://good.com\\@evil.com", "none"],
    ["domain:evil.com", "evil.com/x", "deny"],
    ["domain:evil.com", "//evil.com/x", "deny"],
    ["domain:evil.com", "http:evil.com", "deny"],
    ["domain:evil.com", " https://ev\til.com/", "deny"],
    ["domain:evil.com", "https://a.evil.com/", "none"],
    ["domain:*.evil.com", "https://a.evil.com/", "deny"],
    ["domain:*evil*", "https://not-evil.example/", "deny"],
    ["domain:*", "https://good.com/", "deny"],
    ["domain:bücher.example", "https://xn--bcher-kva.example/", "deny"],
    ["domain:evil.com", "https://", "none"],
    ["domain:evil.com", 7, "none"],
  ])("%s judges %j: %s", (content, url, behavior) => {
    expect(fetchWith("deny", content, url)).toBe(behavior);
  });
});

test("a rule covers an address with non-ASCII letters however often it is evaluated", () => {
  const judged = new Set<string>();
  for (let i = 0; i < 20_000; i++)
    judged.add(fetchWith("deny", "domain:bücher.example", "https://BÜCHER.example/"));
  expect([...judged]).toEqual(["deny"]);
});
