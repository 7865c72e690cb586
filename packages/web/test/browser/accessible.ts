import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { ImpactValue } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { picture } from "./pictures.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";

/** The minified build, since every checked page has to compile it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The axe rules whose result depends on the color scheme. */
const RULES_ON_COLORS = ["color-contrast", "link-in-text-block"];

/** An accessibility violation found by axe. */
interface Flaw {
  readonly rule: string;
  readonly impact: ImpactValue;
  readonly html: string;
}

/** The accessibility violations of a page, or of the part that a selector names. In the dark theme only color rules are checked, since the rest is the same. */
export async function flawsOf(
  page: Page,
  { within, colorScheme = "light" }: { within?: string; colorScheme?: "light" | "dark" } = {},
): Promise<readonly Flaw[]> {
  await page.emulateMedia({ colorScheme });
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  // Reporting passes as well would take most of the time.
  const options = {
    resultTypes: ["violations"],
    ...(colorScheme === "dark" && { runOnly: { type: "rule", values: RULES_ON_COLORS } }),
  };
  const part = within === undefined ? "document" : JSON.stringify({ include: [within] });
  return page.evaluate(`axe.run(${part}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, impact, nodes }) => ({ rule: id, impact, html: nodes[0]?.html })))`);
}

/** Fails if a page, or a part of it, has accessibility violations in either theme. */
export async function mustBeAccessible(page: Page, within?: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const)
    expect(
      await flawsOf(page, { colorScheme, ...(within !== undefined && { within }) }),
      colorScheme,
    ).toEqual([]);
}

/** The controls that are too small to tap. Buttons in a diff are exempt: they are as high as its lines. */
const TOO_SMALL = `[...document.querySelectorAll("button, .button, select, textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])")]
  .filter((one) => one.checkVisibility() && !one.closest(".review") && one.getBoundingClientRect().height < 43.5)
  .map((one) => one.outerHTML.slice(0, 120))`;

/** Checks accessibility at every size, and that no size scrolls sideways; takes a picture of each. */
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
