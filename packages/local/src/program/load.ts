import { mkdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

export interface LoadedProgram {
  /** What the program's file exports. */
  readonly exports: unknown;
  /** Keeps the compiled code for the next start, once: with the functions that were used until now. */
  readonly keepCompiled: () => void;
}

/**
 * Loads a program that is bundled into one file, a function in the manner of CommonJS, with the code that an earlier start compiled.
 *
 * Node 20 caches no compiled modules, and compiling and linking them took a third of the agent's start. The cache lies beside the
 * program: whoever could plant code there could just as well change the program itself. Where the folder can't be written, every
 * start compiles anew.
 */
export function loadProgram(file: string): LoadedProgram {
  const cache = cacheOf(file);
  const cachedData = read(cache);
  // The bundler escapes everything beyond ASCII, so each byte is a character; V8 then keeps one byte for each, not two.
  const source = readFileSync(file, "latin1");
  const script = new Script(source, {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module);
  return {
    exports: module.exports,
    keepCompiled: () => {
      // Code that V8 refused was compiled with other flags: two ways to start Node must not overwrite each other's.
      if (cachedData === undefined) write(cache, script.createCachedData());
    },
  };
}

/** V8 compares only the length of the source, so the name tells apart what was built at another time. */
function cacheOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  const name = [size, Math.round(mtimeMs), process.version, process.arch].join("-");
  return join(dirname(file), "compiled", name);
}

function read(cache: string): Buffer | undefined {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}

/** A start that reads at the same time finds all of it or nothing. Without room or rights for it, nothing is kept. */
function write(cache: string, data: Buffer): void {
  const part = `${cache}.${process.pid}`;
  try {
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(part, data);
    renameSync(part, cache);
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
