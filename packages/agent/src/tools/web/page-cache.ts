import type { Page } from "./fetch-page.ts";

const LIFETIME_MS = 15 * 60 * 1000;
const MAX_PAGES = 10;

/** Recently fetched pages, by the address that the model gave. */
export class PageCache {
  readonly #pages = new Map<string, { readonly page: Page; readonly expires: number }>();

  get(url: string, now: number): Page | undefined {
    const entry = this.#pages.get(url);
    if (entry && entry.expires > now) return entry.page;
    this.#pages.delete(url);
    return undefined;
  }

  set(url: string, page: Page, now: number): void {
    this.#pages.delete(url);
    this.#pages.set(url, { page, expires: now + LIFETIME_MS });
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest);
  }
}
