import type { DiffLine, FileEdit } from "@agentwire/view/text";

/** The changes to a file, including its hunks as printed by git. */
export interface PatchedFile extends FileEdit {
  readonly hunkTexts: readonly string[];
}

/** Parses a patch as printed by git. Binary files, such as images, have no hunks. */
export function readPatch(patch: string): readonly PatchedFile[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith("diff --git "))
    .map(fileEdit);
}

function fileEdit(part: string): PatchedFile {
  const hunks: DiffLine[][] = [];
  let path = /^diff --git a\/(.*?) b\//.exec(part)?.[1] ?? "";
  let [before, after] = [0, 0];
  for (const line of part.split("\n")) {
    const begin = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    const hunk = hunks.at(-1);
    if (begin) {
      [before, after] = [Number(begin[1]), Number(begin[2])];
      hunks.push([]);
    } else if (!hunk) path = /^(?:---|\+\+\+) [ab]\/(.*)$/.exec(line)?.[1] ?? path;
    else if (line.startsWith("+")) hunk.push({ sign: "+", text: line.slice(1), number: after++ });
    else if (line.startsWith("-")) hunk.push({ sign: "-", text: line.slice(1), number: before++ });
    else if (line.startsWith(" ")) {
      hunk.push({ sign: " ", text: line.slice(1), number: after++ });
      before++;
    }
  }
  const of = (wanted: DiffLine["sign"]) => hunks.flat().filter(({ sign }) => sign === wanted).length;
  const hunkTexts = part.split(/^(?=@@ -)/m).slice(1);
  return { path, hunks, hunkTexts, added: of("+"), removed: of("-") };
}
