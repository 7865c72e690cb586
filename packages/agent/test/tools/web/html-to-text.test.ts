import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computingMs } from "../../../../../test/computing-time.ts";
import { htmlToText } from "../../../src/tools/web/html-to-text.ts";

const text = (html: string) => htmlToText(html, "https://example.com/dir/page");

describe("HTML as text", () => {
  test.each([
    ["<h1>One</h1><h3>Two</h3>", "# One\n\n### Two"],
    ["<p>a</p><p>b<br>c</p>", "a\n\nb\nc"],
    ["<p>a  <b>bold</b>\n word</p>", "a bold word"],
    ["<ul><li>a<li>b</ul>", "- a\n- b"],
    ["<ol><li>a</li><li>b<ul><li>c</li></ul></li></ol>", "1. a\n2. b\n\n  - c"],
    ['<a href="x?a=1&amp;b=2">link</a>', "[link](https://example.com/dir/x?a=1&b=2)"],
    ["see <a href=/r>this</a>.", "see [this](https://example.com/r)."],
    ["<a href='#top'>up</a> <a href='javascript:x'>do</a> <a href='/e'></a>", "up do"],
    ["<pre>a\n  <b>b</b> &lt;c&gt;</pre>", "```\na\n  b <c>\n```"],
    ["use <code>ls</code> now", "use `ls` now"],
    ["<script>if (a < b) x('</p>')</script>text<style>p{}</style>", "text"],
    ["<SCRIPT>x</SCRIPT>İ<Style>y</sTyle>z", "İz"],
    ["<!-- <p>no</p> -->yes<!doctype html><?xml?>", "yes"],
    ['<p title="a > b">c</p>', "c"],
    ["a &amp; &#228; &#x1F600; &unknown; &#0;", "a & ä 😀 &unknown; \uFFFD"],
    ["<img alt='a cat' src=x> <img src=y>", "a cat"],
    ["<table><tr><th>a</th><td>b</td></tr></table>", "| a| b"],
    ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
    ["<p unclosed", ""],
    ["<script>never closed", ""],
    ["", ""],
  ])("%j becomes %j", async (html, expected) => {
    expect(await text(html)).toBe(expected);
  });

  test("any input results in some text", async () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "<p>",
        "</p>",
        "<a href='x'>",
        "</a>",
        "<pre>",
        "</ul>",
        "<li>",
        "<!--",
        "<",
        "&#",
        "<script>",
        '"',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => typeof (await text(pieces.join(""))) === "string"),
    );
  });

  test.each(["<", "<a ", "<a href=", "<!--", "<p>", "<ul><li>", "&", "<a href='x'>", "<script>", " "])(
    "a page that consists of %j is converted quickly",
    async (piece) => {
      const started = computingMs();
      await text(piece.repeat(500_000));
      expect(computingMs() - started).toBeLessThan(3000);
    },
  );
});
