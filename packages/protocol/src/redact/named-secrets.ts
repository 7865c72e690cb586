/** Words, and pairs of words, that end the name of a secret. */
const LAST_WORD =
  /(?:password|passwd|passphrase|passcode|passwort|secret|secrets|token|apikey|secretkey|accesskey|privatekey|credential|credentials|creds|cookie)$|^(?:pass|pgpass|dbpass|storepass|keypass|sshpass|userpass|pwd|authkey|requirepass)$/;
const LAST_WORDS =
  /(?:^|_)(?:api|access|private|secret|signing|encryption|account|master|auth|license|deploy|shared_access|session|service|ssh|hmac|jwt)_keys?$|(?:^|_)key_data$|(?:^|_)(?:shared_access_signature|connection_string|webhook_url)$/;

/** Names of the shell's current directory, which only look like passwords. */
const HARMLESS = /^(?:OLD)?PWD$/;

/** Whether a name of a variable, field, option or header is that of a secret. */
function isSecretName(name: string): boolean {
  if (HARMLESS.test(name)) return false;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_.-]+/)
    .filter((word) => word !== "");
  return LAST_WORD.test(words.at(-1) ?? "") || LAST_WORDS.test(words.join("_"));
}

/** Values in the place of a secret that are none: types, references to variables, calls, placeholders, key files. */
const PLACEHOLDERS: readonly RegExp[] = [
  /^(?:string|number|boolean|bool|str|int|undefined|null|nil|none|true|false|unknown|any|object|bytes|required|optional|expired|invalid|missing|revoked|expected|unexpected|incorrect|empty|must|should|is|was|not|and|or|the|a|an|for|from|of|to|with)[?!|.:,;]*$/i,
  /^\$\{?[A-Za-z_]|^\$\(|^%[A-Za-z_]\w*%$|^\{\{|^<[^>]*>?$|^[*•x.…]{3,}$|^\[redacted/i,
  /^(?:process\.env|os\.environ|import\.meta|env|config|options|this|self|secrets|vars|args)[.[]/,
  /^(?:await|new|get|read|load|fetch|make|create)?[A-Za-z_$][\w.$]*\($/,
  /^[~.]{0,2}\/(?:[\w.@-]+\/)+[\w.@-]*\.[A-Za-z]{1,5}$/,
];

/** Whether a value only refers to a secret that is somewhere else. */
const isPlaceholder = (value: string): boolean => PLACEHOLDERS.some((shape) => shape.test(value));

const NAME = "[A-Za-z0-9_.-]{1,200}";

/** A name and what separates it from its value. */
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

/**
 * A value: if quoted, up to the next quote, which may be escaped; else up to a space or anything that ends a
 * word in code.
 */
const VALUE =
  /\\"(?:[^"\\\r\n]|\\\\){1,2000}\\"|"[^"\r\n]{1,2000}"|'[^'\r\n]{1,2000}'|\\?["']?[^\s"'\\;&)}\]<]{0,2000}[^\s"'\\;&)}\],<]/y;

/** In prose, a short word after a colon is rarely a secret. */
const SHORTEST_AFTER_COLON = 6;

/** Removes values that the name in front of them marks as secret. */
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

/** `"auth": "dXNlcjpwYXNz"` in a Docker configuration, `_auth=` in one for npm. */
const isLogin = (name: string, value: string): boolean =>
  /^_?auth$/.test(name) && /^[A-Za-z0-9+/]{8,}={0,2}$/.test(value);
