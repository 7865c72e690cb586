import type { Dirent } from "node:fs";
import { stat } from "node:fs/promises";
import { relative, sep } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { statsOf } from "./file-errors.ts";
import { optionalText, textField } from "./input-fields.ts";
import { failure } from "./outcome.ts";
import { absolutePath, shownPath } from "./paths.ts";
import { skippedFolders } from "./skipped-folders.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";
import { walk } from "./walk.ts";
import { timeLimit } from "./within-time.ts";

const MAX_FILES = 100;
const MATCH_MS = 1000;
const SEARCH_MS = 20_000;

/** Finds files by their names. */
export const globTool: Tool = {
  name: "Glob",
  description: `Finds files by a pattern of their paths, such as "**/*.ts" or "src/*/index.{js,ts}"; the last changed come first, at most ${MAX_FILES}.
Version control folders and node_modules are left out unless the pattern or the path names them. To search in what files say use Grep.`,
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, description: "The pattern, relative to path." },
      path: { type: "string", description: "The folder to search. Leave it out for the current folder." },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  isReadOnly: () => true,
  describe: (input) => textField(input, "pattern"),
  run: glob,
};

interface Found {
  readonly path: string;
  readonly mtimeMs: number;
}

async function glob(input: JsonObject, { workspace, signal }: ToolContext): Promise<ToolOutcome> {
  const started = performance.now();
  const pattern = textField(input, "pattern");
  const path = optionalText(input, "path");
  const folder = absolutePath(path ?? ".", workspace);
  const stats = await statsOf(folder);
  if (!stats) return failure(`The folder ${folder} does not exist. The current folder is ${workspace.cwd}.`);
  if (!stats.isDirectory()) return failure(`${folder} is not a folder.`);

  const { default: picomatch } = await import("picomatch");
  const until = AbortSignal.timeout(SEARCH_MS);
  // Brackets may also be part of a file's name.
  const found = await datedFiles([absolutePath(pattern, { cwd: folder, home: workspace.home })]);
  // Walking starts where the pattern begins to be one.
  const { base, glob: rest } = picomatch.scan(pattern);
  if (found.length === 0 && rest !== "") {
    const root = absolutePath(base, { cwd: folder, home: workspace.home });
    const limited = timeLimit(MATCH_MS);
    const matches = picomatch(rest, { dot: true });
    const skipped = skippedFolders(pattern, path);
    const keep = (_folder: string, entries: readonly Dirent[]) =>
      entries.filter((entry) => !skipped.has(entry.name));
    for await (const files of walk(root, { keep, depth: depthOf(rest), links: true, until, signal })) {
      const run = limited(() => files.filter((file) => matches(relative(root, file).replaceAll(sep, "/"))));
      if (!run.ended) return failure(`The pattern ${pattern} takes too long to match. Use a simpler one.`);
      for (const file of await datedFiles(run.value)) found.push(file);
    }
  }
  found.sort((a, b) => b.mtimeMs - a.mtimeMs);
  const filenames = found.slice(0, MAX_FILES).map((file) => shownPath(file.path, workspace));
  const truncated = found.length > MAX_FILES;
  const notes = [
    ...(truncated
      ? [`(These are ${MAX_FILES} of ${found.length} files. Use a narrower pattern or path.)`]
      : []),
    ...(until.aborted ? ["(The search took too long and was ended early: there may be more files.)"] : []),
  ];
  return {
    content: [...(filenames.length === 0 ? ["No files found"] : filenames), ...notes].join("\n"),
    data: {
      filenames,
      durationMs: Math.round(performance.now() - started),
      numFiles: filenames.length,
      truncated,
      totalMatches: found.length,
      countIsComplete: !until.aborted,
      ...(until.aborted && { timedOut: true }),
    },
  };
}

/** How deep a pattern can reach: as deep as it has slashes, unless it repeats. */
function depthOf(pattern: string): number {
  return /\*\*|\(/.test(pattern) ? Number.POSITIVE_INFINITY : pattern.split("/").length;
}

async function datedFiles(paths: readonly string[]): Promise<Found[]> {
  const dated = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch(() => undefined);
      return stats?.isFile() ? [{ path, mtimeMs: stats.mtimeMs }] : [];
    }),
  );
  return dated.flat();
}
