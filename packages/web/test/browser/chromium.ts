import { type Browser, chromium } from "playwright-core";
import { debianProgram } from "../../../../test/debian.ts";

/** Chromium without its window code: a page needs a quarter of the CPU time. */
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
  // The GPU and network services run in the browser's process: this saves a tenth of the CPU time.
  "--in-process-gpu",
  "--enable-features=NetworkServiceInProcess2",
];

let launched: Promise<Browser> | undefined;

/**
 * Chromium, shared by the test files of a worker, which ends it. Installs the browser if it is missing, and says so; throws if that
 * fails. Each test file creates its own profiles and closes them.
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
