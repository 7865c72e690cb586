import { dirname, isAbsolute, join, relative } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { statsOf } from "./file-errors.ts";
import { optionalText, textField } from "./input-fields.ts";
import { failure } from "./outcome.ts";
import { absolutePath, shownPath } from "./paths.ts";
import { runRipgrep } from "./ripgrep/ripgrep.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

const MAX_FILES = 100;

/** Finds files by name. */
export const globTool: Tool = {
  name: "Glob",
  description: `Finds files by a pattern of their paths, such as "**/*.ts" or "src/*/index.{js,ts}"; the first changed come first, at most ${MAX_FILES}.
A pattern without a slash is about the name, in whatever folder. Hidden and ignored files are found too. To search in what files say use Grep.`,
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "The pattern, relative to path." },
      path: { type: "string", description: "The folder to search. Leave it out for the current folder." },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  isReadOnly: () => true,
  describe: (input) => textField(input, "pattern"),
  run: glob,
};

async function glob(input: JsonObject, { workspace, signal }: ToolContext): Promise<ToolOutcome> {
  const started = performance.now();
  const pattern = absolutePattern(textField(input, "pattern"), workspace.home);
  const folder = absolutePath(optionalText(input, "path") ?? ".", workspace);
  const stats = await statsOf(folder);
  if (!stats)
    return failure(
      `Directory does not exist: ${folder}. Note: your current working directory is ${workspace.cwd}.`,
    );
  if (!stats.isDirectory()) return failure(`Path is not a directory: ${folder}`);

  const { root, glob } = isAbsolute(pattern) ? split(pattern) : { root: folder, glob: pattern };
  // ripgrep reports a missing folder the same way as a mistake in the pattern.
  const isThere = root === folder || (await statsOf(root))?.isDirectory() === true;
  const args = ["--files", "--null", "--hidden", "--no-ignore", "--sort=modified", `--glob=${glob}`];
  const run = isThere ? await runRipgrep(args, root, signal) : NOTHING;
  if (!run.ok) return failure(`ripgrep refused the pattern:\n${run.reason}`);
  const found = run.output.split("\0").filter(Boolean);
  const filenames = found.slice(0, MAX_FILES).map((file) => shownPath(join(root, file), workspace));
  const left = found.length - filenames.length;
  const truncated = left > 0 || run.cut !== undefined;
  const notes = [
    ...(left > 0
      ? [
          `(These are ${MAX_FILES} of ${found.length} files; ${left} more match. Use a narrower pattern or path.)`,
        ]
      : []),
    ...(run.cut ? ["(The search was ended early: there may be more files.)"] : []),
  ];
  return {
    content: [...(filenames.length === 0 ? ["No files found"] : filenames), ...notes].join("\n"),
    data: {
      filenames,
      durationMs: Math.round(performance.now() - started),
      numFiles: filenames.length,
      truncated,
      totalMatches: found.length,
      countIsComplete: run.cut === undefined,
      ...(run.cut === "late" && { timedOut: true }),
    },
  };
}

const NOTHING = { ok: true, output: "", cut: undefined } as const;

function absolutePattern(pattern: string, home: string): string {
  return pattern.startsWith("~/") ? join(home, pattern.slice(2)) : pattern;
}

/** The folder before the first wildcard of a pattern, and the rest of the pattern. */
function split(pattern: string): { readonly root: string; readonly glob: string } {
  const plain = /^[^*?[{]*/.exec(pattern)?.[0] ?? "";
  const root = plain === pattern ? dirname(pattern) : dirname(`${plain}x`);
  return { root, glob: relative(root, pattern) };
}
