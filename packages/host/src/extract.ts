import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";

/** Where a program compiled with Bun keeps its embedded files, by system. */
const EMBEDDED = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i;

/**
 * Extracts a file that was compiled into a Bun program, so that other processes can run it, and returns its path, which is valid until
 * this process ends. Any other path is returned unchanged; so is one that can't be read, with a warning.
 */
export function extractFromBunfs(embeddedPath: string): string {
  if (!EMBEDDED.test(embeddedPath)) return embeddedPath;
  try {
    const folder = mkdtempSync(join(tmpdir(), "agentwire-extracted-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, basename(embeddedPath.replaceAll("\\", "/")));
    // Only Bun's own functions can read the file system inside the program.
    writeFileSync(path, readFileSync(embeddedPath), { mode: 0o700 });
    return path;
  } catch (error) {
    process.emitWarning(`${embeddedPath} can't be extracted, so no process can run it: ${error}`);
    return embeddedPath;
  }
}
