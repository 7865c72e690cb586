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
  // Drawing and the network in the browser's own process: all of it takes a tenth less of computing.
  "--in-process-gpu",
  "--enable-features=NetworkServiceInProcess2",
];

let launched: Promise<Browser> | undefined;

/**
 * A real browser, which the test files of a worker share and which ends with it; where there is none it is installed, and that is
 * said. Throws if it can't be. Each test file has profiles of its own in it, and closes them.
 */
export function sharedBrowser(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: program(), args: FLAGS });
  return launched;
}

function program(): string {
  try {
    return debianProgram("chromium-headless-shell", HEADLESS);
  } catch {
    return debianProgram("chromium", WHOLE);
  }
}
