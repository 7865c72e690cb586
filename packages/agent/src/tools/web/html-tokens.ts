/** One piece of an HTML page. */
export type HtmlToken =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "open"; readonly name: string; readonly attributes: string }
  | { readonly type: "close"; readonly name: string };

const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9:-]{0,63})/y;
// Their content is not for readers, and is not HTML either.
const RAW = new Set(["script", "style", "noscript", "template", "svg", "iframe", "textarea"]);

const ATTRIBUTE = {
  href: /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
  alt: /(?:^|\s)alt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
} as const;

/** Splits a page into tags and text, leaving out invisible parts. Broken pages yield some text, never an error. */
export function* readHtml(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) return yield { type: "text", text: html.slice(at) };
    if (open > at) yield { type: "text", text: html.slice(at, open) };
    TAG.lastIndex = open;
    const match = TAG.exec(html);
    if (!match) {
      at = skipMarkup(html, open);
      if (at === open) {
        yield { type: "text", text: "<" };
        at = open + 1;
      }
      continue;
    }
    const name = (match[2] ?? "").toLowerCase();
    const end = endOfTag(html, TAG.lastIndex);
    if (match[1] === "/") yield { type: "close", name };
    else if (RAW.has(name)) {
      at = afterClosing(html, name, end);
      continue;
    } else yield { type: "open", name, attributes: html.slice(TAG.lastIndex, end) };
    at = end + 1;
  }
}

/** The value of an attribute of a tag. */
export function attribute(attributes: string, name: keyof typeof ATTRIBUTE): string | undefined {
  const found = ATTRIBUTE[name].exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

function skipMarkup(html: string, open: number): number {
  if (html.startsWith("<!--", open)) return after(html, "-->", open + 4);
  return html.startsWith("<!", open) || html.startsWith("<?", open) ? after(html, ">", open + 2) : open;
}

function after(html: string, mark: string, from: number): number {
  const end = html.indexOf(mark, from);
  return end < 0 ? html.length : end + mark.length;
}

// The position of the `>` that ends a tag, skipping quoted attributes.
function endOfTag(html: string, from: number): number {
  let quote = "";
  for (let at = from; at < html.length; at += 1) {
    const char = html.charAt(at);
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === ">") return at;
    else if (char === '"' || char === "'") quote = char;
  }
  return html.length;
}

function afterClosing(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}`, "gi");
  closing.lastIndex = from;
  const match = closing.exec(html);
  return match ? after(html, ">", match.index) : html.length;
}
