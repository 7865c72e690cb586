import type { OptionList } from "./options.ts";

/** A program that only reads, with the options that keep it read-only. */
export interface Reader {
  /** What its operands are; `pattern` means a pattern followed by files. */
  readonly operands: "text" | "files" | "pattern";
  readonly options: OptionList;
  readonly maxOperands?: number;
  /** Options with which it reads folders recursively; `always` if it needs none. */
  readonly below?: readonly string[] | "always";
  /** Whether it reads the files in a folder operand and follows links there. */
  readonly mustBeFiles?: true;
}

/** What a program does to the files that its operands name. */
export type EditKind = "each" | "copy" | "move";

/** A program that changes files. */
export interface Editor {
  readonly edits: EditKind;
  /** The only options with which it counts as a plain edit; if absent, it never counts as an edit that modes allow. */
  readonly options?: OptionList;
}

const text = (options: OptionList = {}): Reader => ({ operands: "text", options });
const files = (options: OptionList, more: Partial<Reader> = {}): Reader => ({
  operands: "files",
  options,
  ...more,
});
const sums = files({ flags: "btz", long: "binary text tag zero" });

/**
 * Programs that only read. Options that are not listed write, run something, read file names from a file or follow unchecked
 * links, or have not been examined. Programs that print the environment are left out.
 */
export const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["pwd", text({ flags: "LP" })],
  ["whoami", text()],
  ["id", text({ flags: "ugGnrz" })],
  ["uname", text({ flags: "asnrvmpio", long: "all" })],
  ["sleep", text()],
  ["seq", text({ flags: "w", valued: "sf", numbers: true, long: "separator= equal-width" })],
  ["basename", text({ flags: "az", valued: "s", long: "suffix= multiple" })],
  ["dirname", text({ flags: "z" })],
  ["tr", text({ flags: "cCdst", long: "complement delete squeeze-repeats truncate-set1" })],
  ["which", text({ flags: "a" })],
  [
    "ls",
    files({
      flags: "aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1",
      valued: "IwT",
      long: `all almost-all author escape ignore-backups directory classify[=] file-type no-group human-readable si inode kibibytes
        literal numeric-uid-gid hide-control-chars quote-name reverse recursive size full-time group-directories-first color[=] format=
        sort= time= time-style= block-size= width= ignore= hide= indicator-style= quoting-style= tabsize=`,
    }),
  ],
  [
    "cat",
    files({
      flags: "AbeEnstTuv",
      long: "show-all number number-nonblank squeeze-blank show-ends show-tabs show-nonprinting",
    }),
  ],
  ["head", files({ flags: "qvz", valued: "nc", numbers: true, long: "lines= bytes= quiet silent verbose" })],
  [
    "tail",
    files({
      flags: "qvzf",
      valued: "ncs",
      numbers: true,
      long: "lines= bytes= quiet silent verbose follow[=]",
    }),
  ],
  ["wc", files({ flags: "clmwL", long: "lines words chars bytes max-line-length" })],
  ["stat", files({ flags: "Lft", valued: "c", long: "dereference file-system format= printf= terse" })],
  [
    "du",
    files({
      flags: "abchkmsxSl0",
      valued: "dtB",
      long: `all apparent-size bytes total human-readable si summarize one-file-system separate-dirs max-depth= block-size= exclude=
        threshold= time[=]`,
    }),
  ],
  [
    "df",
    files({
      flags: "ahHiklmPTv",
      valued: "tBx",
      long: "all human-readable si inodes local portability print-type total type= output[=] block-size= exclude-type=",
    }),
  ],
  [
    "cmp",
    files({ flags: "bls", valued: "in", long: "print-bytes verbose quiet silent bytes= ignore-initial=" }),
  ],
  [
    "cut",
    files({
      flags: "nsz",
      valued: "bcdf",
      long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated",
    }),
  ],
  ["nl", files({ flags: "p", valued: "bdfhilnsvw" })],
  ["tac", files({ flags: "br", valued: "s", long: "before regex separator=" })],
  ["rev", files({})],
  [
    "comm",
    files({ flags: "123z", long: "check-order nocheck-order total output-delimiter= zero-terminated" }),
  ],
  ["paste", files({ flags: "sz", valued: "d", long: "serial delimiters= zero-terminated" })],
  ["join", files({ flags: "iz", valued: "aejotv12", long: "ignore-case header check-order nocheck-order" })],
  [
    "readlink",
    files({ flags: "femnqsvz", long: "canonicalize canonicalize-existing canonicalize-missing no-newline" }),
  ],
  [
    "realpath",
    files({
      flags: "eLmPqsz",
      long: "canonicalize-existing canonicalize-missing no-symlinks relative-to= relative-base=",
    }),
  ],
  ["md5sum", sums],
  ["sha1sum", sums],
  ["sha256sum", sums],
  [
    "diff",
    files(
      {
        flags: "abBcdeEHiNnpqstTuwyZ",
        valued: "CFILUW",
        long: `text brief context[=] ed normal side-by-side suppress-common-lines ignore-case ignore-all-space ignore-blank-lines
          ignore-space-change ignore-trailing-space ignore-tab-expansion minimal report-identical-files expand-tabs initial-tab
          new-file unified[=] color[=] width= label= ignore-matching-lines= show-function-line= show-c-function`,
      },
      { mustBeFiles: true },
    ),
  ],
  [
    "file",
    files({
      flags: "bikrhN0",
      long: "brief mime mime-type mime-encoding keep-going raw no-dereference no-pad",
    }),
  ],
  [
    "tree",
    files({
      flags: "adfhsiupgDFQNnCAJXqrtUvc",
      valued: "LIP",
      long: "dirsfirst filesfirst noreport prune du si inodes device ignore-case gitignore filelimit= sort= charset= timefmt=",
    }),
  ],
  [
    "sort",
    files({
      flags: "bdfghiMnrRsuVcCmz",
      valued: "ktS",
      long: `reverse unique numeric-sort general-numeric-sort human-numeric-sort version-sort month-sort dictionary-order ignore-case
        ignore-leading-blanks ignore-nonprinting random-sort stable merge zero-terminated check[=] key= field-separator= buffer-size=`,
    }),
  ],
  [
    "uniq",
    files(
      {
        flags: "cdDiuz",
        valued: "fsw",
        long: "count repeated all-repeated[=] unique ignore-case skip-fields= skip-chars= check-chars= zero-terminated",
      },
      { maxOperands: 1 },
    ),
  ],
  [
    "grep",
    {
      operands: "pattern",
      options: {
        flags: "EFGPiyvwxcLlqosbHhnTUZzaIr",
        valued: "emABC",
        numbers: true,
        long: `extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp
          count files-with-matches files-without-match quiet silent only-matching no-messages byte-offset with-filename no-filename
          line-number initial-tab null null-data text recursive line-buffered regexp= max-count= after-context= before-context=
          context= include= exclude= exclude-dir= binary-files= label= color[=] colour[=]`,
      },
      below: ["r", "recursive"],
    },
  ],
  [
    "rg",
    {
      operands: "pattern",
      options: {
        flags: "ivwxclqsSnNHIFPUaop0u.",
        valued: "eABCmgtTMjEdr",
        long: `ignore-case invert-match word-regexp line-regexp count count-matches files-with-matches files-without-match quiet
          case-sensitive smart-case line-number no-line-number with-filename no-filename fixed-strings pcre2 multiline multiline-dotall
          text only-matching pretty null unrestricted hidden no-ignore no-ignore-vcs no-ignore-parent files type-list heading no-heading
          column trim json stats vimgrep no-messages crlf null-data no-config glob-case-insensitive sort-files one-file-system no-hidden
          regexp= after-context= before-context= context= max-count= glob= iglob= type= type-not= max-columns= threads= encoding=
          max-depth= replace= color= colors= sort= sortr= max-filesize= engine= path-separator= passthru`,
      },
      below: "always",
    },
  ],
]);

const COPYING: OptionList = { flags: "finpuv", long: "force interactive no-clobber update verbose" };

/** Programs that change the files their operands name. */
export const EDITORS: ReadonlyMap<string, Editor> = new Map<string, Editor>([
  ["mkdir", { edits: "each", options: { flags: "pv", long: "parents verbose" } }],
  ["touch", { edits: "each", options: { flags: "acm" } }],
  ["rmdir", { edits: "each", options: { flags: "v" } }],
  ["cp", { edits: "copy", options: COPYING }],
  ["mv", { edits: "move", options: COPYING }],
  // These destroy data that can't be restored, so no mode allows them.
  ["rm", { edits: "each" }],
  ["unlink", { edits: "each" }],
  ["truncate", { edits: "each" }],
  ["tee", { edits: "each" }],
]);
