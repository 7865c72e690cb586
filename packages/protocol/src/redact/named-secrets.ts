import { isPlaceholder, isSecretName } from "./secret-names.ts";

const NAME = "[A-Za-z0-9_.-]{1,200}";

/** A name and what stands between it and its value. */
const HEADS: readonly RegExp[] = [
  // password=x, "apiKey": "x", X-Api-Key: x, MY_SECRET => x.
  new RegExp(String.raw`(?<![A-Za-z0-9_.-])(${NAME})(\\?["']?\]?\s{0,3}(?:=>|:=|[:=])\s{0,3})`, "g"),
  // --password x, -storepass x, ["--token", "x"].
  /(?<![\w-])(--?[A-Za-z][\w-]{1,60})(\s{1,3}|\\?["'],\s{0,2}(?=\\?["']))(?!-)/g,
  // set -x NAME x, ENV NAME x, setx NAME x.
  new RegExp(String.raw`(?<=\b(?:set(?:\s-{1,2}\w{1,10}){1,3}|ENV|setx|setenv)\s)(${NAME})(\s{1,3})`, "g"),
  // <password>x</password>
  /(?<=<(?:\w{1,20}:)?)([\w.-]{1,60})(>)/g,
];

/** A value: in quotes up to the next one, escaped ones as well, else up to a space or what ends a word in code. */
const VALUE =
  /\\"(?:[^"\\\r\n]|\\\\){1,2000}\\"|"[^"\r\n]{1,2000}"|'[^'\r\n]{1,2000}'|\\?["']?[^\s"'\\;&)}\]<]{0,2000}[^\s"'\\;&)}\],<]/y;

/** In prose, a word after a colon is one more often than it is a secret. */
const SHORTEST_AFTER_COLON = 6;

/** Takes out what a name in front of it says to be secret. */
export function withoutNamed(text: string, redacted: string): string {
  return HEADS.reduce((rest, head) => withoutAfter(rest, head, redacted), text);
}

function withoutAfter(text: string, head: RegExp, redacted: string): string {
  let done = "";
  let from = 0;
  head.lastIndex = 0;
  for (let found = head.exec(text); found; found = head.exec(text)) {
    const [, name = "", between = ""] = found;
    const start = head.lastIndex;
    const value = valueAt(text, start);
    if (value === undefined || !isSecret(name, between, value)) continue;
    const [, quote = ""] = /^(\\?["'])/.exec(value) ?? [];
    const isClosed = quote !== "" && value.length > quote.length && value.endsWith(quote);
    done += `${text.slice(from, start)}${quote}${redacted}${isClosed ? quote : ""}`;
    from = start + value.length;
    head.lastIndex = from;
  }
  return done + text.slice(from);
}

function valueAt(text: string, start: number): string | undefined {
  VALUE.lastIndex = start;
  return VALUE.exec(text)?.[0];
}

function isSecret(name: string, between: string, value: string): boolean {
  const isQuoted = /^\\?["']/.test(value);
  const inner = value.replace(/^\\?["']/, "").replace(/\\?["']$/, "");
  if (isLogin(name, inner)) return true;
  if (!isSecretName(name) || isPlaceholder(inner)) return false;
  return isQuoted || !between.includes(":") || inner.length >= SHORTEST_AFTER_COLON;
}

/** `"auth": "dXNlcjpwYXNz"` in a configuration of docker, `_auth=` in one of npm. */
const isLogin = (name: string, value: string): boolean =>
  /^_?auth$/.test(name) && /^[A-Za-z0-9+/]{8,}={0,2}$/.test(value);
