import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";

export interface LoadedProgram {
  /** What the program's file exports. */
  readonly exports: unknown;
  /** Saves the compiled code for later starts, including the functions used so far. */
  readonly keepCompiled: () => void;
}

/** After this many kinds of use, saving the code for another one is no longer worth it. */
const MAX_USES = 16;

/**
 * Loads a program bundled into one file (a CommonJS-style function), reusing the code that earlier processes compiled.
 *
 * Node 20 does not cache compiled modules, and compiling and linking them took a third of the agent's startup. The cache lies next to
 * the program: anyone who could plant code there could change the program itself. If the folder is not writable, every start compiles
 * again.
 */
export function loadProgram(file: string, argv: readonly string[]): LoadedProgram {
  const cache = cacheOf(file);
  const compiled = attempt(() => read(cache));
  const bundle = read(file);
  // The bundle is ASCII: reading it as latin1 lets V8 store one byte per character instead of two.
  const source = bundle.data.toString("latin1");
  const script = new Script(source, { filename: file, ...(compiled && { cachedData: compiled.data }) });
  bundle.release();
  compiled?.release();
  const module = { exports: {} };
  // The sources lie two folders below the package, so the URL must as well.
  const url = pathToFileURL(join(dirname(file), "bundled", basename(file))).href;
  script.runInThisContext()(module.exports, createRequire(file), module, (name: string) => import(name), url);
  return {
    exports: module.exports,
    keepCompiled: () => {
      // V8 rejected code that was compiled with other flags: starts with different flags must not overwrite each other's cache.
      if (script.cachedDataRejected) return;
      const known = attempt(() => readFileSync(`${cache}.uses`, "utf8")) ?? "";
      const use = `${useOf(argv)}\n`;
      const uses = known.split(/(?<=\n)/);
      if (uses.includes(use) || uses.length >= MAX_USES) return;
      write(cache, script.createCachedData());
      write(`${cache}.uses`, known + use);
    },
  };
}

/** V8 caches only functions that ran, so each kind of use (the command and the names of its flags) adds its own. */
function useOf([command = "", ...rest]: readonly string[]): string {
  const flags = rest.flatMap((word) => /^-[-a-z]+/.exec(word)?.[0] ?? []);
  return [/^[-a-z]*/.exec(command)?.[0], ...flags.sort()].join(" ");
}

/** V8 compares only the length of the source, so the name distinguishes builds. */
function cacheOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  const name = [size, Math.round(mtimeMs), process.version, process.arch].join("-");
  return join(dirname(file), "compiled", name);
}

/** Reads a file into memory that can be freed without the garbage collector, which may not run before the first reply. */
function read(file: string): { readonly data: Buffer; readonly release: () => void } {
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const memory = new ArrayBuffer(size, { maxByteLength: size });
    const data = Buffer.from(memory);
    let length = 0;
    while (length < size) {
      const count = readSync(descriptor, data, length, size - length, length);
      if (count === 0) break;
      length += count;
    }
    return { data: data.subarray(0, length), release: () => memory.resize(0) };
  } finally {
    closeSync(descriptor);
  }
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Writes atomically, so that a concurrent start reads all of it or nothing. Without disk space or permission, nothing is saved. */
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
    // It was never created.
  }
}
