import { parseUrl } from "@agentwire/protocol/support";
import { sliceOver } from "../../event-loop.ts";
import { decodeEntities } from "./entities.ts";
import { attribute, readHtml } from "./html-tokens.ts";

const BLOCKS = new Set(
  (
    "p div section article main header footer nav aside ul ol table tr blockquote figure figcaption form fieldset " +
    "dl dt dd hr address details summary h1 h2 h3 h4 h5 h6 pre title"
  ).split(" "),
);
const HEADING = /^h([1-6])$/;
const MAX_LIST_DEPTH = 6;
// Limits the work on pages that are too long to read or made to be endless.
const MAX_TOKENS = 300_000;

/**
 * Converts a page to text that resembles Markdown: headings, links, lists and code; everything else is plain. Links become
 * absolute.
 */
export async function htmlToText(html: string, base: string): Promise<string> {
  const page = new Page(base);
  let tokens = 0;
  for (const token of readHtml(html)) {
    if (++tokens > MAX_TOKENS) break;
    if (token.type === "text") page.text(decodeEntities(token.text));
    else if (token.type === "open") page.open(token.name, token.attributes);
    else page.close(token.name);
    const others = sliceOver();
    if (others) await others;
  }
  return page.finish();
}

/** The text of a page so far. */
class Page {
  readonly #base: string;
  readonly #pieces: string[] = [];
  readonly #lists: { next: number | undefined }[] = [];
  #link: { readonly href: string; readonly piece: number } | undefined;
  #isCode = false;
  /** The separator between the last piece and the next. */
  #gap = "";

  constructor(base: string) {
    this.#base = base;
  }

  text(text: string): void {
    if (this.#isCode) {
      this.#add(text);
      return;
    }
    const words = text.replace(/\s+/g, " ");
    if (words.startsWith(" ")) this.#separate(" ");
    if (words.trim() !== "") this.#add(words.trim());
    if (words.endsWith(" ")) this.#separate(" ");
  }

  open(name: string, attributes: string): void {
    if (BLOCKS.has(name)) this.#separate("\n\n");
    const heading = HEADING.exec(name);
    if (heading) this.#add(`${"#".repeat(Number(heading[1]))} `);
    else if (name === "br") this.#separate("\n");
    else if (name === "td" || name === "th") this.#add("| ");
    else if (name === "hr") this.#add("---");
    else if (name === "ul") this.#lists.push({ next: undefined });
    else if (name === "ol") this.#lists.push({ next: 1 });
    else if (name === "li") this.#item();
    else if (name === "pre") this.#code(true);
    else if (name === "code" && !this.#isCode) this.#add("`");
    else if (name === "a") this.#openLink(attribute(attributes, "href"));
    else if (name === "img") this.text(decodeEntities(attribute(attributes, "alt") ?? ""));
  }

  close(name: string): void {
    if (name === "pre") this.#code(false);
    else if (name === "code" && !this.#isCode) this.#end("`");
    else if (name === "ul" || name === "ol") this.#lists.pop();
    else if (name === "a") this.#closeLink();
    if (BLOCKS.has(name)) this.#separate("\n\n");
  }

  finish(): string {
    this.#code(false);
    return this.#pieces.join("").trim();
  }

  #separate(gap: string): void {
    if (gap.length > this.#gap.length || (gap === "\n" && this.#gap === " ")) this.#gap = gap;
  }

  #add(text: string): void {
    if (this.#pieces.length > 0) this.#pieces.push(this.#gap);
    this.#gap = "";
    this.#pieces.push(text);
  }

  // A closing mark belongs right after the last piece, before the separator.
  #end(text: string): void {
    this.#pieces.push(text);
  }

  #item(): void {
    this.#separate("\n");
    const list = this.#lists.at(-1);
    const indent = "  ".repeat(Math.min(Math.max(0, this.#lists.length - 1), MAX_LIST_DEPTH));
    this.#add(list?.next === undefined ? `${indent}- ` : `${indent}${list.next++}. `);
  }

  #code(isCode: boolean): void {
    if (isCode === this.#isCode) return;
    this.#isCode = isCode;
    if (isCode) this.#add("```\n");
    else this.#end("\n```");
  }

  #openLink(href: string | undefined): void {
    this.#closeLink();
    const url =
      href === undefined || href.startsWith("#") ? undefined : absolute(decodeEntities(href), this.#base);
    if (url === undefined || this.#isCode) return;
    this.#add("");
    this.#link = { href: url, piece: this.#pieces.length };
  }

  #closeLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (!link || link.piece >= this.#pieces.length) return;
    const url = absolute(decodeEntities(link.href), this.#base);
    if (url === undefined) return;
    // Insert it before the link's first piece, now that the link is known to have text.
    this.#pieces[link.piece] = `${this.#pieces[link.piece]}[`;
    this.#end(`](${url})`);
  }
}

function absolute(href: string, base: string): string | undefined {
  if (parseUrl(href, base) === undefined) return undefined;
  const url = new URL(href, base);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined;
}
