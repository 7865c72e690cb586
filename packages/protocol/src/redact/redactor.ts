import { withoutNamed } from "./named-secrets.ts";
import { SECRET_SHAPES } from "./secret-shapes.ts";

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

const REDACTED = "[redacted]";

/** What tells by its name that a variable holds a secret. */
const SECRET_NAME =
  /KEY(?!BOARD|MAP)|TOKEN|SECRET|(?:^|_|DB|PG|SSH)PASS(?:$|_)|PASSW|PASSPHRASE|CREDENTIAL|CREDS|AUTH(?!OR)|WEBHOOK|COOKIE|CONNECTION_STRING|_PWD$/i;
/** Names of places, where secrets may be but which are none. */
const PLACE_NAME = /(?:FILE|PATH|DIR|DIRECTORY|FOLDER|HOME|SOCK|SOCKET|PROGRAM|ASKPASS|HELPER)$/i;
/** Shorter values would be found in words that have nothing to do with them. */
const MIN_SECRET_CHARS = 8;

/** Takes out what looks like a secret, and the given ones whatever they look like. */
export function redactor(known: readonly string[]): Redact {
  const secrets = [...new Set(known.filter(({ length }) => length >= MIN_SECRET_CHARS))]
    // One that is part of another must not leave the rest of it.
    .sort((one, other) => other.length - one.length);
  return (text) => {
    const unknown = secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    const shapeless = SECRET_SHAPES.reduce(
      (rest, shape) => rest.replace(shape, `$1${REDACTED}`),
      withoutKeys(unknown),
    );
    return withoutNamed(shapeless, REDACTED);
  };
}

/** The values of variables that hold secrets, by their names. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && !PLACE_NAME.test(name) ? [value] : [],
  );
}

/** A private key, or as much of it as is there. */
const KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;
const END = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Takes out private keys, even those of which only one end is in the text; none of them goes beyond a quotation mark. */
function withoutKeys(text: string): string {
  if (!text.includes("PRIVATE KEY")) return text;
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
