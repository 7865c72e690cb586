import { type DiffLine, diffLines, numbered } from "./diff.ts";
import { parseInput, type ToolInput, textField } from "./tool-input.ts";

/** A change to a file, requested by a call or already made. */
export interface FileEdit {
  readonly path: string;
  readonly hunks: readonly (readonly DiffLine[])[];
  readonly added: number;
  readonly removed: number;
}

/** The change that a call requests, derived from its input alone; undefined for calls that change no file. */
export function editOf(name: string, input: ToolInput): FileEdit | undefined {
  const path = textField(input, "file_path");
  switch (name) {
    case "Edit":
      return fileEdit(path, [diffLines(textField(input, "old_string"), textField(input, "new_string"))]);
    case "MultiEdit": {
      const edits = Array.isArray(input.edits) ? (input.edits as readonly unknown[]) : [];
      return fileEdit(
        path,
        edits
          .filter((edit): edit is ToolInput => typeof edit === "object" && edit !== null)
          .map((edit) => diffLines(textField(edit, "old_string"), textField(edit, "new_string"))),
      );
    }
    case "Write":
      return fileEdit(path, [diffLines("", textField(input, "content"))]);
    default:
      return undefined;
  }
}

/** The change that a call has made, with line numbers; undefined if its result contains none. */
export function editMade(structuredJson: string): FileEdit | undefined {
  const result = parseInput(structuredJson);
  const path = textField(result, "filePath");
  if (path === "" || !Array.isArray(result.structuredPatch) || result.structuredPatch.length === 0)
    return undefined;
  const hunks = (result.structuredPatch as readonly unknown[]).flatMap((hunk) => {
    if (typeof hunk !== "object" || hunk === null) return [];
    const { oldStart, newStart, lines } = hunk as Record<string, unknown>;
    if (!Array.isArray(lines)) return [];
    const signed = lines
      .filter((line): line is string => typeof line === "string" && /^[ +-]/.test(line))
      .map((line) => [line.charAt(0) as DiffLine["sign"], line.slice(1)] as const);
    return [numbered(signed, Number(oldStart) || 1, Number(newStart) || 1)];
  });
  return fileEdit(path, hunks);
}

function fileEdit(path: string, hunks: readonly (readonly DiffLine[])[]): FileEdit {
  const of = (wanted: DiffLine["sign"]) => hunks.flat().filter(({ sign }) => sign === wanted).length;
  return { path, hunks, added: of("+"), removed: of("-") };
}
