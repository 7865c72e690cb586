import { createHash } from "node:crypto";
import type { ToolIds } from "../providers/provider.ts";

const MAX_LENGTH = 64;
/** The names that every provider accepts: letters, digits, `_` and `-`, starting with a letter or `_`. */
const ALLOWED = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const HASH_LENGTH = 8;

/** Maps the names of a request's tools to names that a provider accepts, and back. */
export class ToolNames {
  readonly #original = new Map<string, string>();

  /** A tool's name for the provider: unchanged unless the provider would reject it. */
  toProvider(name: string): string {
    const spelled = ALLOWED.test(name) ? name : safeName(name);
    this.#original.set(spelled, name);
    return spelled;
  }

  /** The tool that a provider's name refers to. */
  fromProvider(name: string): string {
    return this.#original.get(name) ?? name;
  }
}

/** Keeps names distinct even if they differ only in forbidden characters. */
function safeName(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_").replace(/^(?![a-zA-Z_])/, "_");
  return `${plain.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hashOf(name).slice(0, HASH_LENGTH)}`;
}

/** Converts a tool call id to one that a provider accepts; the same id always yields the same result. */
export function toolIdFor(id: string, ids: ToolIds): string {
  if (ids === "any" || /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  return hashOf(id).slice(0, 9);
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
