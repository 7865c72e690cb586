import { createHash } from "node:crypto";
import type { ToolIds } from "../providers/provider.ts";

const MAX_LENGTH = 64;
/** What every provider takes: letters, digits, `_` and `-`, a letter or `_` first. */
const ALLOWED = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const HASH_LENGTH = 8;

/** The names of a request's tools as a provider takes them, and back. */
export class ToolNames {
  readonly #original = new Map<string, string>();

  /** A tool's name for the provider: the same, unless the provider would refuse it. */
  toProvider(name: string): string {
    const spelled = ALLOWED.test(name) ? name : safeName(name);
    this.#original.set(spelled, name);
    return spelled;
  }

  /** The tool that a provider means by a name. */
  fromProvider(name: string): string {
    return this.#original.get(name) ?? name;
  }
}

/** Two names that differ only in what is forbidden stay two. */
function safeName(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_").replace(/^(?![a-zA-Z_])/, "_");
  return `${plain.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hashOf(name).slice(0, HASH_LENGTH)}`;
}

/** An id of a tool call as a provider takes it; the same id is always spelled the same. */
export function toolIdFor(id: string, ids: ToolIds): string {
  if (ids === "any" || /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  return hashOf(id).slice(0, 9);
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
