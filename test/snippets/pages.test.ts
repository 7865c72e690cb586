import { expect, test } from "vitest";
import { parse } from "yaml";
import { installOfficialSdk } from "../interop/install.ts";
import { FIRST_PAGES, OTHER_PAGES, snippetsOf, twice } from "./page.ts";
import { paste } from "./place.ts";

await installOfficialSdk();

test.concurrent.each(FIRST_PAGES)(
  "%s works as pasted, each block twice",
  { timeout: 600_000 },
  async (page) => {
    await expect(paste(twice(page))).resolves.toBeUndefined();
  },
);

test.each([...FIRST_PAGES, ...OTHER_PAGES])("the data in %s can be read", (page) => {
  for (const { language, code } of snippetsOf(page)) {
    if (language === "json") expect(() => JSON.parse(code), code).not.toThrow();
    if (language === "yaml") expect(() => parse(code, { merge: true }), code).not.toThrow();
  }
});
