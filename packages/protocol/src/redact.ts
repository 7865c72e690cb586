/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

const REDACTED = "[redacted]";

/** Shapes that only secrets have; each leaves what may stand in its first group. All of them take linear time. */
const SHAPES: readonly RegExp[] = [
  // Keys of Anthropic, OpenAI, Stripe and their like.
  /\b()(?:sk|rk|pk)[-_][A-Za-z0-9][A-Za-z0-9_-]{15,}/g,
  // Tokens of GitHub, GitLab, Slack, npm, Hugging Face, AWS, Google, and our own.
  /\b()(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|npm_|hf_|AKIA|ASIA|AIza|ya29\.|aw_)[A-Za-z0-9_-]{12,}/g,
  // JSON web tokens.
  /\b()eyJ[A-Za-z0-9_-]{8,500}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  // Authorization: Bearer x, "authorization": "Basic x", Cookie: x.
  /\b((?:proxy-)?authorization\b\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?\s{0,3}(?:[A-Za-z]{2,20}\s{1,3})?)[^\s"'\\,;]{3,}/gi,
  /\b((?:set-)?cookie\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)[^\s"'\\][^\r\n"'\\]{2,}/gi,
  /\b((?:bearer|basic)\s{1,3})[A-Za-z0-9._~+/=-]{8,}/gi,
  // password=x, "api_key": "x", X-Api-Key: x, MY_SECRET=x, --token x.
  /((?<![A-Za-z])(?:[A-Za-z0-9]{1,40}[_-]){0,6}(?:api[_-]?key|apikey|access[_-]?key|private[_-]?key|auth[_-]?token|token|secret|passwd|password|passphrase|credentials?)\\?["']?(?:\s{0,3}[:=]\s{0,3}|(?<=--[a-z-]{1,40})\s)\\?["']?)(?!\[redacted)[^\s"'\\,;&)}\]]{6,}/gi,
  // https://user:password@host
  /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'\\]{0,100}:)[^\s/@"'\\]{1,200}(?=@)/gi,
];

/** What tells by its name that a variable holds a secret. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|AUTH/i;
/** Shorter values would be found in words that have nothing to do with them. */
const MIN_SECRET_CHARS = 8;

/** Takes out what looks like a secret, and the given ones whatever they look like. */
export function redactor(known: readonly string[]): Redact {
  const secrets = [...new Set(known.filter(({ length }) => length >= MIN_SECRET_CHARS))]
    // One that is part of another must not leave the rest of it.
    .sort((one, other) => other.length - one.length);
  return (text) => {
    const unknown = secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    return SHAPES.reduce((rest, shape) => rest.replace(shape, `$1${REDACTED}`), withoutKeys(unknown));
  };
}

/** The values of variables that hold secrets, by their names. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && !value.startsWith("/") ? [value] : [],
  );
}

/** A private key, or as much of it as is there. */
const KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;
const END = /-----END [A-Z ]{0,40}PRIVATE KEY-----/g;

/** Takes out private keys, even those of which only one end is in the text; none of them goes beyond a quotation mark. */
function withoutKeys(text: string): string {
  if (!text.includes("PRIVATE KEY-----")) return text;
  return text
    .split(/(["'])/)
    .map((part) => withoutTails(part.replace(KEY, REDACTED)))
    .join("");
}

/** Takes out the ends of keys that begin somewhere else. */
function withoutTails(text: string): string {
  let done = "";
  let from = 0;
  for (const { index, 0: end } of text.matchAll(END)) {
    let start = index;
    while (start > from && /[A-Za-z0-9+/=\s\\]/.test(text[start - 1] ?? "")) start--;
    done += text.slice(from, start) + REDACTED;
    from = index + end.length;
  }
  return done + text.slice(from);
}
