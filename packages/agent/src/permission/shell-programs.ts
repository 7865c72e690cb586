/** A program that is known to do no more than read or edit the files its operands name. */
export interface KnownProgram {
  /** What its operands are; `pattern` means a text first and then files. */
  readonly operands: "text" | "files" | "pattern";
  /** Options with which it would do more. */
  readonly refuses?: RegExp;
  readonly maxOperands?: number;
}

/** What a program does to the files that its operands name, one after another. */
export type EditKind = "each" | "copy" | "move";

/** A program that changes files. */
export interface EditingProgram {
  readonly edits: EditKind;
  /** The only options with which it stays simple; absent: it never counts as an edit that modes allow. */
  readonly options?: RegExp;
}

const ANY_OPTION = /^-/;

const text: KnownProgram = { operands: "text" };
const files: KnownProgram = { operands: "files" };

/**
 * Programs that only read. Refused are options with which they write, run something, or follow links that nobody has
 * looked at; a long one may be abbreviated. Programs that print the environment are not among them.
 */
export const READERS: ReadonlyMap<string, KnownProgram> = new Map<string, KnownProgram>([
  ...[
    "echo",
    "true",
    "false",
    "pwd",
    "whoami",
    "id",
    "uname",
    "sleep",
    "seq",
    "basename",
    "dirname",
    "tr",
  ].map((name) => [name, text] as const),
  ["which", text],
  ["printf", { operands: "text", refuses: ANY_OPTION }],
  ...["ls", "cat", "head", "tail", "wc", "stat", "du", "df", "cmp", "cut", "nl", "tac", "rev"].map(
    (name) => [name, files] as const,
  ),
  ...["comm", "paste", "join", "readlink", "realpath", "md5sum", "sha1sum", "sha256sum"].map(
    (name) => [name, files] as const,
  ),
  ["diff", { operands: "files", refuses: /^-[^-]*r|^--r/ }],
  ["file", { operands: "files", refuses: /^-[^-]*C|^--c/ }],
  ["tree", { operands: "files", refuses: /^-[^-]*[oRl]|^--output/ }],
  ["sort", { operands: "files", refuses: /^-[^-]*[oT]|^--(?!reverse$|unique$|numeric-sort$)/ }],
  ["uniq", { operands: "files", maxOperands: 1 }],
  ["grep", { operands: "pattern", refuses: /^-[^-]*R|^--de/ }],
  ["rg", { operands: "pattern", refuses: /^-[^-]*[Lz]|^--(?:follow|pre|search-zip|hostname-bin)/ }],
  ["find", { operands: "files", refuses: /^-(?:exec|ok|delete|fprint|fls|files0-from|L$|follow)/ }],
]);

const COPY_OPTIONS = /^-[finpuv]+$/;

/** Programs that change the files their operands name. */
export const EDITORS: ReadonlyMap<string, EditingProgram> = new Map<string, EditingProgram>([
  ["mkdir", { edits: "each", options: /^-[pv]+$/ }],
  ["touch", { edits: "each", options: /^-[acm]+$/ }],
  ["rmdir", { edits: "each", options: /^-v$/ }],
  ["cp", { edits: "copy", options: COPY_OPTIONS }],
  ["mv", { edits: "move", options: COPY_OPTIONS }],
  // What they undo nobody gets back.
  ["rm", { edits: "each" }],
  ["unlink", { edits: "each" }],
  ["truncate", { edits: "each" }],
  ["tee", { edits: "each" }],
]);
