import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Io } from "../io.ts";

/** The program that opens an address with what the user has chosen for it. */
const OPENER = process.platform === "darwin" ? "open" : "xdg-open";

/** Opens an address in the user's browser; where that does not work, says so: the address is printed anyway. */
export async function openInBrowser({ env, stderr }: Pick<Io, "env" | "stderr">, url: string): Promise<void> {
  const child = spawn(OPENER, [url], { env, stdio: "ignore", detached: true });
  try {
    await once(child, "spawn");
    // The browser stays when we go.
    child.unref();
  } catch {
    stderr.write(`${OPENER} was not found: open the link in a browser yourself\n`);
  }
}
