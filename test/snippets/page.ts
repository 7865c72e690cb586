import { readdirSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);

/** One block of code of a page. */
export interface Snippet {
  readonly language: string;
  readonly code: string;
  /** The line of the page on which it begins. */
  readonly line: number;
  /** Why no test runs it, if none does: `<!-- not run: … -->` before it says so. */
  readonly notRun: string | undefined;
  /** The file that the reader is told to make of it: `<!-- saved as: … -->` before it says so. */
  readonly savedAs: string | undefined;
}

const pagesOf = (folder: string) =>
  readdirSync(new URL(`docs/${folder}/`, ROOT)).map((name) => `docs/${folder}/${name}`);

/** Starts a database server and three daemons, as the tests of clusters do more sparingly. */
const DEAR = "docs/tutorials/machines.md";

/** The pages that newcomers paste from first. */
export const FIRST_PAGES: readonly string[] = [
  "README.md",
  ...pagesOf("tutorials").filter((page) => page !== DEAR),
];

/** The other pages with commands. */
export const OTHER_PAGES: readonly string[] = ["examples/README.md", DEAR, ...pagesOf("guides")];

/** The blocks of code of a page, in their order. */
export function snippetsOf(page: string): readonly Snippet[] {
  const text = readFileSync(new URL(page, ROOT), "utf8");
  const blocks = text.matchAll(
    /(?:^<!-- (not run|saved as): (.+) -->\n)?^[ ]*```(\w+)\n([\s\S]*?)^[ ]*```$/gm,
  );
  return [...blocks].map(({ index, 1: mark, 2: word, 3: language = "", 4: code = "" }) => ({
    language,
    code,
    line: text.slice(0, index).split("\n").length,
    notRun: mark === "not run" ? word : undefined,
    savedAs: mark === "saved as" ? word : undefined,
  }));
}

const RUN = ["sh", "js", "python"];

/** Those of a page that a test runs, with the files that they need. */
export function runnable(page: string): readonly Snippet[] {
  return snippetsOf(page).filter(
    ({ language, notRun, savedAs }) =>
      savedAs !== undefined || (RUN.includes(language) && notRun === undefined),
  );
}

/** The same, each block twice: readers paste tutorials again after a slip. */
export const twice = (page: string): readonly Snippet[] =>
  runnable(page).flatMap((snippet) => [snippet, snippet]);
