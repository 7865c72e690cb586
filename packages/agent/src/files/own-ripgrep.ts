import { createRequire } from "node:module";
import { dirname } from "node:path";

const resolve = createRequire(import.meta.url).resolve;

/**
 * The path of the ripgrep that is installed with the agent; undefined on platforms without one.
 *
 * Its package exports the path, but as an ES module: the bundle can't load those before Node 20.19, and it takes Node 5 ms, ten times as
 * long as finding the file.
 */
export function ownRipgrep(): string | undefined {
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  try {
    // The package for the platform is a dependency of that package, and may be visible only from there.
    const paths = [dirname(resolve("@vscode/ripgrep"))];
    return resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`, { paths });
  } catch {
    return undefined;
  }
}
