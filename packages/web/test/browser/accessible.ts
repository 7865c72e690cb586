import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { ImpactValue } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { picture } from "./pictures.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";

/** The small form: every page that is looked at compiles it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules whose outcome depends on the theme. */
const RULES_ON_COLORS = ["color-contrast", "link-in-text-block"];

/** Something that keeps people out who see, hear or move otherwise. */
interface Flaw {
  readonly rule: string;
  readonly impact: ImpactValue;
  readonly html: string;
}

/** The flaws of a page, or of the part of it that a selector names; in the dark theme only those of its colors, as the rest is the same. */
export async function flawsOf(
  page: Page,
  { within, colorScheme = "light" }: { within?: string; colorScheme?: "light" | "dark" } = {},
): Promise<readonly Flaw[]> {
  await page.emulateMedia({ colorScheme });
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  // To describe what is right as well would take most of the time.
  const options = {
    resultTypes: ["violations"],
    ...(colorScheme === "dark" && { runOnly: { type: "rule", values: RULES_ON_COLORS } }),
  };
  const part = within === undefined ? "document" : JSON.stringify({ include: [within] });
  return page.evaluate(`axe.run(${part}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, impact, nodes }) => ({ rule: id, impact, html: nodes[0]?.html })))`);
}

/** Fails if a page, or a part of it, has flaws in either theme. */
export async function mustBeAccessible(page: Page, within?: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const)
    expect(
      await flawsOf(page, { colorScheme, ...(within !== undefined && { within }) }),
      colorScheme,
    ).toEqual([]);
}

/** What is too small for a thumb. Lines of a diff are as high as their text, and their buttons with them. */
const TOO_SMALL = `[...document.querySelectorAll("button, .button, select, textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])")]
  .filter((one) => one.checkVisibility() && !one.closest(".review") && one.getBoundingClientRect().height < 43.5)
  .map((one) => one.outerHTML.slice(0, 120))`;

/** The same at every size, none of which may need to be scrolled sideways; with a picture of each. */
export async function mustFitEverySize(page: Page, name: string): Promise<void> {
  await mustBeAccessible(page);
  for (const size of SIZE_NAMES) {
    const { viewport } = SIZES[size];
    await page.setViewportSize(viewport);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
    if (size === "phone") expect(await page.evaluate(TOO_SMALL)).toEqual([]);
    await picture(page, `${size}-${name}`);
  }
  await mustBeAccessible(page);
  await page.setViewportSize(SIZES.desktop.viewport);
}
