import { mkdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";

export interface LoadedProgram {
  /** What the program's file exports. */
  readonly exports: unknown;
  /** Keeps the compiled code for later starts, with the functions that were used until now. */
  readonly keepCompiled: () => void;
}

/** After so many ways to use a program, what one more needs is no longer worth writing. */
const MOST_USES = 16;

/**
 * Loads a program that is bundled into one file, a function in the manner of CommonJS, with the code that earlier processes compiled.
 *
 * Node 20 caches no compiled modules, and compiling and linking them took a third of the agent's start. The cache lies beside the
 * program: whoever could plant code there could just as well change the program itself. Where the folder can't be written, every
 * start compiles anew.
 */
export function loadProgram(file: string, argv: readonly string[]): LoadedProgram {
  const cache = cacheOf(file);
  const cachedData = read(cache);
  // The bundle is ASCII, so each byte is a character; V8 then keeps one byte for each, not two.
  const source = readFileSync(file, "latin1");
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  // As if from a module two folders below the package: that is where its sources are.
  const url = pathToFileURL(join(dirname(file), "bundled", basename(file))).href;
  script.runInThisContext()(module.exports, createRequire(file), module, (name: string) => import(name), url);
  return {
    exports: module.exports,
    keepCompiled: () => {
      // Code that V8 refused was compiled with other flags: two ways to start Node must not overwrite each other's.
      if (script.cachedDataRejected) return;
      const known = read(`${cache}.uses`)?.toString() ?? "";
      const use = `${useOf(argv)}\n`;
      const uses = known.split(/(?<=\n)/);
      if (uses.includes(use) || uses.length >= MOST_USES) return;
      write(cache, script.createCachedData());
      write(`${cache}.uses`, known + use);
    },
  };
}

/** V8 keeps the functions that ran, so each way to use a program adds its own: the command, and the flags by their names. */
function useOf([command = "", ...rest]: readonly string[]): string {
  const flags = rest.flatMap((word) => /^-[-a-z]+/.exec(word)?.[0] ?? []);
  return [/^[-a-z]*/.exec(command)?.[0], ...flags.sort()].join(" ");
}

/** V8 compares only the length of the source, so the name tells apart what was built at another time. */
function cacheOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  const name = [size, Math.round(mtimeMs), process.version, process.arch].join("-");
  return join(dirname(file), "compiled", name);
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** A start that reads at the same time finds all of it or nothing. Without room or rights for it, nothing is kept. */
function write(file: string, data: Buffer | string): void {
  const part = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(part, data);
    renameSync(part, file);
  } catch {
    remove(part);
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was never made.
  }
}
