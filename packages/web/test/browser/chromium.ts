import { type Browser, chromium } from "playwright-core";
import { debianProgram } from "../../../../test/debian.ts";

/** The same browser without what only windows need: a page takes a quarter of the computing time. */
const HEADLESS = ["/usr/bin/chromium-headless-shell"];
const WHOLE = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A real browser; where there is none it is installed, and that is said. Throws if it can't be. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: program(), args: FLAGS });
}

function program(): string {
  try {
    return debianProgram("chromium-headless-shell", HEADLESS);
  } catch {
    return debianProgram("chromium", WHOLE);
  }
}
