import type { DiffLine, FileEdit } from "@agentwire/view/text";

/** Reads a patch as git prints it: how each file changes. What has no lines, such as a picture, has no hunks. */
export function readPatch(patch: string): readonly FileEdit[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith("diff --git "))
    .map(fileEdit);
}

function fileEdit(part: string): FileEdit {
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
  return { path, hunks, added: of("+"), removed: of("-") };
}
