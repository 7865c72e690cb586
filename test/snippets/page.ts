import { readdirSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);

/** A code block of a page. */
export interface Snippet {
  readonly language: string;
  readonly code: string;
  /** The line on which it starts. */
  readonly line: number;
  /** Why no test runs it, if so: the text of the `<!-- not run: … -->` comment before it. */
  readonly notRun: string | undefined;
  /** The file that the reader is asked to save it as, from the `<!-- saved as: … -->` comment before it. */
  readonly savedAs: string | undefined;
}

const pagesOf = (folder: string) =>
  readdirSync(new URL(`docs/${folder}/`, ROOT)).map((name) => `docs/${folder}/${name}`);

/** Left out because it starts a database server and three daemons; the tests of clusters cover that at less cost. */
const DEAR = "docs/tutorials/machines.md";

/** The pages from which newcomers paste first. */
export const FIRST_PAGES: readonly string[] = [
  "README.md",
  ...pagesOf("tutorials").filter((page) => page !== DEAR),
];

/** The other pages with commands. */
export const OTHER_PAGES: readonly string[] = ["examples/README.md", DEAR, ...pagesOf("guides")];

/** The code blocks of a page, in order. */
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

/** The blocks that a test runs, with the files that they need. */
export function runnable(page: string): readonly Snippet[] {
  return snippetsOf(page).filter(
    ({ language, notRun, savedAs }) =>
      savedAs !== undefined || (RUN.includes(language) && notRun === undefined),
  );
}

/** The same blocks, each twice, because readers paste from tutorials again after a slip. */
export const twice = (page: string): readonly Snippet[] =>
  runnable(page).flatMap((snippet) => [snippet, snippet]);
