import type { JsonObject } from "@agentwire/protocol";
import { optionalCount, optionalText, textField } from "../tools/input-fields.ts";
import { failure } from "../tools/outcome.ts";
import type { Tool, ToolOutcome } from "../tools/tool.ts";
import type { EntryVersion, MemoryEntries, MemoryEntry } from "./entries.ts";
import { trimSlashes } from "./slug.ts";
import { branchesUnder, branchLine } from "./tree.ts";

/** A tool that needs only the memory. */
export interface MemoryTool extends Tool {
  run(input: JsonObject): Promise<ToolOutcome>;
}

/** The tools with which the model reads long-term memory; they change nothing. */
export function memoryReadTools(entries: MemoryEntries): readonly MemoryTool[] {
  return [memorySearch(entries), memoryRead(entries)];
}

const USUAL_RESULTS = 8;
const MAX_RESULTS = 30;

function memorySearch(entries: MemoryEntries): MemoryTool {
  return {
    name: "MemorySearch",
    description: `Searches long-term memory: what was learned in earlier sessions about the user, their projects and their ways of working.
Give the words that matter; the entries that fit best come first, each with its slug, its title and the part that fits. Read an entry with MemoryRead before you rely on it.`,
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, description: "The words to look for." },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_RESULTS,
          default: USUAL_RESULTS,
          description: "How many entries at most.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    describe: (input) => optionalText(input, "query"),
    run: async (input) => {
      const query = textField(input, "query");
      const limit = Math.min(optionalCount(input, "limit") || USUAL_RESULTS, MAX_RESULTS);
      const found = entries.search(query, limit);
      const data = { query, entries: found };
      if (found.length === 0) return { content: "Nothing in long-term memory fits these words.", data };
      const lines = found.flatMap(({ slug, title, snippet, updatedAt }) => [
        `- ${slug}: ${title} (${dayOf(updatedAt)})`,
        `  ${snippet.replace(/\s+/g, " ").trim()}`,
      ]);
      return { content: lines.join("\n"), data };
    },
  };
}

const MAX_LISTED = 200;

function memoryRead(entries: MemoryEntries): MemoryTool {
  return {
    name: "MemoryRead",
    description: `Reads an entry of long-term memory by its slug, such as projects/website/build, and lists what is beneath it.
The slug of a branch lists the branch; an empty slug lists the top of the memory.`,
    inputSchema: {
      type: "object",
      properties: {
        slug: { type: "string", description: "The slug of an entry or a branch." },
        version: {
          type: "integer",
          minimum: 1,
          description: "An earlier version, if you want to know what an entry said before.",
        },
      },
      required: ["slug"],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    describe: (input) => optionalText(input, "slug"),
    run: async (input) => {
      const slug = trimSlashes(textField(input, "slug"));
      const entry = slug === "" ? undefined : entries.read(slug);
      const version = optionalCount(input, "version");
      if (entry && version !== undefined && version !== entry.version)
        return earlier(entry, version, entries.versions(slug));
      const beneath = branchesUnder(slug, entries.titles(slug));
      if (!entry && beneath.length === 0) return nothingAt(slug);
      const listed = beneath.slice(0, MAX_LISTED).map(branchLine);
      if (beneath.length > MAX_LISTED)
        listed.push(`… and ${beneath.length - MAX_LISTED} more; use MemorySearch`);
      const heading = slug === "" ? "At the top:" : `Beneath ${slug}:`;
      const list = beneath.length === 0 ? [] : [[heading, ...listed].join("\n")];
      const content = [...(entry ? [entryText(entry)] : []), ...list].join("\n\n");
      return { content, data: { ...(entry && { entry }), beneath: beneath.slice(0, MAX_LISTED) } };
    },
  };
}

/** An entry, formatted for the model. */
export function entryText(entry: MemoryEntry): string {
  const { slug, title, body, version, isArchived, updatedAt } = entry;
  const state = isArchived ? ", archived: no longer held to be true or useful" : "";
  return `# ${title}\n(${slug}, version ${version}, of ${dayOf(updatedAt)}${state})\n\n${body}`;
}

function earlier(
  { slug, version: newest }: MemoryEntry,
  wanted: number,
  versions: readonly EntryVersion[],
): ToolOutcome {
  const found = versions.find(({ version }) => version === wanted);
  if (!found) {
    const kept = [newest, ...versions.map(({ version }) => version)].join(", ");
    return failure(`There is no version ${wanted} of ${slug}; there are ${kept}.`);
  }
  const { title, body, writtenAt } = found;
  return {
    content: `# ${title}\n(${slug}, version ${wanted}, of ${dayOf(writtenAt)}; the newest is ${newest})\n\n${body}`,
    data: { slug, ...found },
  };
}

function nothingAt(slug: string): ToolOutcome {
  if (slug === "") return { content: "Long-term memory is still empty.", data: { beneath: [] } };
  return failure(`There is nothing at ${slug.slice(0, 200)}. MemorySearch finds entries by words.`);
}

const dayOf = (time: string) => time.slice(0, 10);
