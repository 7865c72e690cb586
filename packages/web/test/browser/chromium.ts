import { type Browser, chromium } from "playwright-core";
import { debianProgram } from "../../../../test/debian.ts";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
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
  return chromium.launch({ executablePath: debianProgram("chromium", PATHS), args: FLAGS });
}
