import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { EXIT_CODES, parseUrl } from "@agentwire/protocol/support";
import { CliError, UsageError } from "../errors.ts";
import type { Io } from "../io.ts";

/** A remote daemon, with the credentials for it. */
export interface Remote {
  /** As in `https://build.example:7433`. */
  readonly address: string;
  /** Other nodes of the same cluster, tried if that one does not answer. */
  readonly others: readonly string[];
  readonly token: string | undefined;
  readonly tls: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
}

/** The variables that configure a remote daemon, which agents must not see. */
export const REMOTE_ENV: ReadonlySet<string> = new Set([
  "AGENTWIRE_ADDRESS",
  "AGENTWIRE_TOKEN",
  "AGENTWIRE_TOKEN_FILE",
  "AGENTWIRE_CA",
  "AGENTWIRE_CERT",
  "AGENTWIRE_KEY",
]);

/** The remote daemon to use; undefined for the local one. Throws a `CliError` if it is configured incorrectly. */
export function remoteOf({ env }: Pick<Io, "env">): Remote | undefined {
  if (!env.AGENTWIRE_ADDRESS) return undefined;
  const [address = "", ...others] = env.AGENTWIRE_ADDRESS.split(",").map((given) => addressOf(given.trim()));
  return { address, others, token: tokenIn(env), tls: tlsIn(env) };
}

/** Reads the TLS certificates and keys that the environment names. */
export function tlsIn({
  AGENTWIRE_CA: ca,
  AGENTWIRE_CERT: cert,
  AGENTWIRE_KEY: key,
}: Io["env"]): Remote["tls"] {
  return {
    ...(ca && { ca: contentOf("--ca", ca) }),
    ...(cert && { cert: contentOf("--cert", cert) }),
    ...(key && { key: secretIn("--key", key) }),
  };
}

function addressOf(given: string): string {
  const text = given.includes("://") ? given : `https://${given}`;
  const url = parseUrl(text);
  const isPlain = url && url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  if (!isPlain || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new UsageError(
      `${JSON.stringify(given)} is not the address of a daemon`,
      "as in: --address https://build.example:7433",
    );
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw new UsageError(
      `http to ${url.host} would send the token and everything else unencrypted`,
      `as in: --address https://${url.host}`,
    );
  return url.origin;
}

const isLoopback = (host: string) =>
  host === "localhost" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."));

function tokenIn({ AGENTWIRE_TOKEN: token, AGENTWIRE_TOKEN_FILE: file }: Io["env"]): string | undefined {
  if (token) return checked(token, "the token");
  return file ? checked(String(secretIn("--token-file", file)), `the token in ${file}`) : undefined;
}

function checked(text: string, what: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new CliError(`${what} is ${token === "" ? "empty" : "not a single word"}`);
}

/** Rejects a secret file that everyone can read; the daemon applies the same rule to its keys. */
function secretIn(option: string, path: string): Buffer {
  const content = contentOf(option, path);
  const stats = statSync(path, { throwIfNoEntry: false });
  // Systems without users have no file modes; a pipe is private.
  if (process.getuid === undefined || !stats?.isFile() || (stats.mode & 0o007) === 0) return content;
  throw new CliError(`${option}: everyone on this machine can read ${path}`, {
    exitCode: EXIT_CODES.badConfig,
    hint: `chmod 600 ${path}; if others may have read it, create a new one`,
  });
}

function contentOf(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new CliError(`${option}: ${(cause as Error).message}`, { cause });
  }
}
