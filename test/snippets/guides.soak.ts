import { expect, test } from "vitest";
import { installOfficialSdk } from "../interop/install.ts";
import { OTHER_PAGES, runnable } from "./page.ts";
import { paste } from "./place.ts";

await installOfficialSdk();

const pages = OTHER_PAGES.filter((page) => runnable(page).length > 0);

test.concurrent.each(pages)("%s works as pasted", { timeout: 300_000 }, async (page) => {
  await expect(paste(runnable(page))).resolves.toBeUndefined();
});
