import { withoutNamed } from "./named-secrets.ts";
import { SECRET_SHAPES } from "./secret-shapes.ts";

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

const REDACTED = "[redacted]";

/** Names of variables that contain a secret. */
const SECRET_NAME =
  /KEY(?!BOARD|MAP)|TOKEN|SECRET|(?:^|_|DB|PG|SSH)PASS(?:$|_)|PASSW|PASSPHRASE|CREDENTIAL|CREDS|AUTH(?!OR)|WEBHOOK|COOKIE|CONNECTION_STRING|_PWD$/i;
/** Names of places that may contain secrets but are not secret themselves. */
const PLACE_NAME = /(?:FILE|PATH|DIR|DIRECTORY|FOLDER|HOME|SOCK|SOCKET|PROGRAM|ASKPASS|HELPER)$/i;
/** Shorter values would also be found inside unrelated words. */
const MIN_SECRET_CHARS = 8;

/** Removes anything that looks like a secret, and the given secrets whatever they look like. */
export function redactor(known: readonly string[]): Redact {
  const secrets = [...new Set(known.filter(({ length }) => length >= MIN_SECRET_CHARS))]
    // Longest first: a secret that is part of another must not leave the rest of it.
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

/** The values of variables that contain secrets, recognized by their names. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && !PLACE_NAME.test(name) ? [value] : [],
  );
}

/** A private key, or as much of it as is present. */
const KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;
const END = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Removes private keys, even if only one end is in the text; a key never extends past a quotation mark. */
function withoutKeys(text: string): string {
  if (!text.includes("PRIVATE KEY")) return text;
  return text
    .split(/(["'])/)
    .map((part) => withoutTails(part.replace(KEY, REDACTED)))
    .join("");
}

/** Removes the ends of keys that begin somewhere else. */
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
