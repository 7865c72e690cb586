import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

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
  return chromium.launch({ executablePath: findBrowser() ?? installBrowser(), args: FLAGS });
}

const findBrowser = () => PATHS.find((path) => existsSync(path));

function installBrowser(): string {
  process.stderr.write("The tests of the console need Chromium; installing it: apt-get install chromium\n");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  execFileSync("apt-get", ["update"], { env, stdio: "inherit" });
  execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], {
    env,
    stdio: "inherit",
  });
  const path = findBrowser();
  if (path === undefined) throw new Error("there is no Chromium, and apt-get did not bring one");
  return path;
}
