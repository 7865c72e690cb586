import { expect, test } from "vitest";
import { installOfficialSdk } from "../interop/install.ts";
import { OTHER_PAGES, runnable, twice } from "./page.ts";
import { paste } from "./place.ts";

await installOfficialSdk();

const pages = OTHER_PAGES.filter((page) => runnable(page).length > 0);

test.concurrent.each(pages)("%s works as pasted", { timeout: 300_000 }, async (page) => {
  const snippets = page.startsWith("docs/tutorials/") ? twice(page) : runnable(page);
  await expect(paste(snippets)).resolves.toBeUndefined();
});
