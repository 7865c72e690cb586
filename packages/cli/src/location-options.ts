import { resolve } from "node:path";
import type { Option } from "./command.ts";
import { UsageError } from "./errors.ts";
import type { Io } from "./io.ts";

/** Options for reaching a remote daemon, in addition to its address. */
export const REMOTE_OPTIONS: readonly Option[] = [
  { name: "token-file", value: "FILE", summary: "the file with the token (AGENTWIRE_TOKEN_FILE)" },
  {
    name: "token",
    value: "TOKEN",
    summary: "the token (AGENTWIRE_TOKEN); other users of this machine can see it",
  },
  { name: "ca", value: "FILE", summary: "the CA that signed its certificate (AGENTWIRE_CA)" },
  { name: "cert", value: "FILE", summary: "the client certificate, if it requires one (AGENTWIRE_CERT)" },
  { name: "key", value: "FILE", summary: "the key of the client certificate (AGENTWIRE_KEY)" },
];

/** The environment variable that each option overrides, and whether its value is a path. */
const VARIABLES: ReadonlyMap<string, { readonly name: string; readonly isPath: boolean }> = new Map([
  ["folder", { name: "AGENTWIRE_HOME", isPath: true }],
  ["address", { name: "AGENTWIRE_ADDRESS", isPath: false }],
  ["token", { name: "AGENTWIRE_TOKEN", isPath: false }],
  ["token-file", { name: "AGENTWIRE_TOKEN_FILE", isPath: true }],
  ["ca", { name: "AGENTWIRE_CA", isPath: true }],
  ["cert", { name: "AGENTWIRE_CERT", isPath: true }],
  ["key", { name: "AGENTWIRE_KEY", isPath: true }],
]);

/** Mutually exclusive options: each replaces the other and the other's variable. */
const EITHER: readonly (readonly [option: string, other: string, variable: string])[] = [
  ["folder", "address", "AGENTWIRE_ADDRESS"],
  ["token", "token-file", "AGENTWIRE_TOKEN_FILE"],
  ["token-file", "token", "AGENTWIRE_TOKEN"],
];

/** The `Io` with the location options applied to its environment. */
export function withLocation(io: Io, values: ReadonlyMap<string, string | true>): Io {
  const env = { ...io.env };
  for (const [option, other, variable] of EITHER) {
    if (!values.has(option)) continue;
    if (values.has(other)) throw new UsageError(`give --${option} or --${other}, not both`);
    delete env[variable];
  }
  for (const [option, { name, isPath }] of VARIABLES) {
    const value = values.get(option);
    if (typeof value === "string") env[name] = isPath ? resolve(io.cwd, value) : value;
  }
  return { ...io, env };
}
