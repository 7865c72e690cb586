import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { picture } from "./pictures.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";

/** Fails for anything on a page that keeps people out who see, hear or move otherwise; colors in both themes. */
export async function mustBeAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // There are no frames, and so no need for a page of its own to put results together.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations } = await (colorScheme === "dark" ? axe.withRules("color-contrast") : axe).analyze();
    expect(violations.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes[0]?.html}`)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** The same at every size, none of which may need to be scrolled sideways; with a picture of each. */
export async function mustFitEverySize(page: Page, name: string): Promise<void> {
  await mustBeAccessible(page);
  for (const size of SIZE_NAMES) {
    const { viewport } = SIZES[size];
    await page.setViewportSize(viewport);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
    await picture(page, `${size}-${name}`);
  }
  await mustBeAccessible(page);
  await page.setViewportSize(SIZES.desktop.viewport);
}
