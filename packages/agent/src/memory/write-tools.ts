import type { JsonObject } from "@agentwire/protocol";
import { optionalText, textField } from "../tools/input-fields.ts";
import { failure } from "../tools/outcome.ts";
import type { ToolOutcome } from "../tools/tool.ts";
import type { Change, MemoryEntries } from "./entries.ts";
import { MAX_BODY, MAX_TITLE } from "./limits.ts";
import type { Consolidated } from "./marks.ts";
import { entryText, type MemoryTool, memoryReadTools } from "./read-tools.ts";
import { SLUG_FORM, trimSlashes } from "./slug.ts";

const MAX_SUMMARY = 1_000;

/** The tools of one consolidation, and a record of what was done with them. */
export class ConsolidationTools {
  readonly #entries: MemoryEntries;
  readonly #sessionIds: readonly string[];
  /** Entries that the model has read in full: only these may be replaced. */
  readonly #seen = new Set<string>();
  readonly #created = new Set<string>();
  readonly #updated = new Set<string>();
  readonly #archived = new Set<string>();
  /** The model's final summary; undefined while it is working. */
  summary: string | undefined;

  /** `sessionIds` are the sessions that the material is from. */
  constructor(entries: MemoryEntries, sessionIds: readonly string[]) {
    this.#entries = entries;
    this.#sessionIds = sessionIds;
  }

  /** All tools, or the only one left in the last step. */
  offered(isLastStep: boolean): readonly MemoryTool[] {
    const finish = this.#finish();
    return isLastStep
      ? [finish]
      : [
          ...memoryReadTools(this.#entries).map((tool) => this.#noting(tool)),
          this.#write(),
          this.#archive(),
          finish,
        ];
  }

  outcome(summary: string): Consolidated {
    const [created, updated, archived] = [this.#created.size, this.#updated.size, this.#archived.size];
    return { created, updated, archived, summary: summary.trim().slice(0, MAX_SUMMARY) };
  }

  #noting(tool: MemoryTool): MemoryTool {
    if (tool.name !== "MemoryRead") return tool;
    return {
      ...tool,
      run: (input) => {
        if (input.version === undefined) this.#seen.add(trimSlashes(textField(input, "slug")));
        return tool.run(input);
      },
    };
  }

  #write(): MemoryTool {
    const several = this.#sessionIds.length > 1;
    return {
      name: "MemoryWrite",
      description: `Writes an entry of long-term memory: creates it, or replaces title and body of the one with that slug. What the new body leaves out is gone, so read an entry before you replace it.`,
      inputSchema: {
        type: "object",
        properties: {
          slug: { type: "string", description: `Where it stands in the tree: ${SLUG_FORM}.` },
          title: {
            type: "string",
            description: `What it is about, in one line of up to ${MAX_TITLE} characters.`,
          },
          body: { type: "string", description: `The whole text, in Markdown, up to ${MAX_BODY} characters.` },
          ...(several && {
            session: {
              type: "string",
              enum: this.#sessionIds,
              description: "The session it was learned in.",
            },
          }),
        },
        required: ["slug", "title", "body"],
        additionalProperties: false,
      },
      isReadOnly: () => false,
      run: async (input) => this.#change(input),
    };
  }

  #change(input: JsonObject): ToolOutcome {
    const slug = trimSlashes(textField(input, "slug"));
    const draft = {
      slug,
      title: textField(input, "title").trim(),
      body: textField(input, "body").trim(),
      sourceSession: optionalText(input, "session") ?? this.#sessionIds[0] ?? "",
    };
    const before = this.#entries.read(slug);
    const isSame = before?.title === draft.title && before.body === draft.body;
    if (before && !isSame && !this.#seen.has(slug)) {
      this.#seen.add(slug);
      return failure(
        `There is an entry ${slug} already. Write it again with everything in it that still holds, or choose another slug. It says:\n\n${entryText(before)}`,
      );
    }
    const change = this.#entries.write(draft);
    if (change.kind === "created") this.#created.add(slug);
    // An entry created by this consolidation counts as new, however often it is changed.
    if (change.kind === "updated" && !this.#created.has(slug)) this.#updated.add(slug);
    this.#archived.delete(slug);
    if (change.kind !== "refused") this.#seen.add(slug);
    return said(change, slug);
  }

  #archive(): MemoryTool {
    return {
      name: "MemoryArchive",
      description:
        "Archives an entry of long-term memory that is wrong, outdated or contained in another: it is no longer found or listed.",
      inputSchema: {
        type: "object",
        properties: { slug: { type: "string", description: "The slug of the entry." } },
        required: ["slug"],
        additionalProperties: false,
      },
      isReadOnly: () => false,
      run: async (input) => {
        const slug = trimSlashes(textField(input, "slug"));
        const change = this.#entries.archive(slug);
        if (change.kind === "archived") this.#archived.add(slug);
        return said(change, slug);
      },
    };
  }

  #finish(): MemoryTool {
    return {
      name: "MemoryFinish",
      description: "Ends the consolidation. Call it last, even when there was nothing to write down.",
      inputSchema: {
        type: "object",
        properties: {
          summary: { type: "string", description: "What you changed, in one or two sentences." },
        },
        required: ["summary"],
        additionalProperties: false,
      },
      isReadOnly: () => false,
      run: async (input) => {
        this.summary = textField(input, "summary");
        return { content: "Done." };
      },
    };
  }
}

function said(change: Change, slug: string): ToolOutcome {
  switch (change.kind) {
    case "refused":
      return failure(change.reason);
    case "unchanged":
      return { content: `${slug} is already like that.` };
    default:
      return { content: `${slug} is ${change.kind}.` };
  }
}
