import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

/** Folders of the system; without one of them it is left out. */
export const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  "/nix/store",
];
/** What of the system's configuration is nobody's business, readable for an agent that runs as root. */
const SECRETS = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/ssl/private",
  "/etc/ssh",
];
/** What temporary files may take in memory, each in its place. */
const TEMPORARY_BYTES = 1024 ** 3;

/** What a sandbox shows, and what can be changed in it. */
export interface SandboxFiles {
  /** A home that is empty but for what follows. */
  readonly home: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Inside what is writable: these keep their place, and what is `closed` in them can't be moved away with them. */
  readonly fixed: readonly string[];
  /** Inside what is writable: these can be read. */
  readonly closed: readonly string[];
  /** These can't even be read. */
  readonly hidden: readonly string[];
  /** Files of ours, and where they are to be found inside. */
  readonly placed: readonly (readonly [from: string, to: string])[];
}

/** The options of `bwrap` for these files: what comes later covers what came before. */
export function fileOptions(files: SandboxFiles): readonly string[] {
  const existing = (paths: readonly string[]) => paths.filter((path) => existsSync(path));
  const bind = (how: string) => (path: string) => [how, path, path];
  // What does not lie in anything that is shown is not there to be hidden.
  const shown = [...files.readable, ...files.writable];
  const hidden = files.hidden.filter((path) => shown.some((folder) => isWithin(path, folder)));
  const empty = (path: string) => ["--size", String(TEMPORARY_BYTES), "--tmpfs", path];
  return [
    ...existing(SYSTEM).flatMap(bind("--ro-bind")),
    ...existing(SECRETS).flatMap(hide),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["/dev/shm", "/tmp", "/var/tmp", "/run", files.home].flatMap(empty),
    ...existing(files.readable).flatMap(bind("--ro-bind")),
    ...existing(files.writable).flatMap(bind("--bind")),
    ...existing(files.fixed).flatMap(bind("--bind")),
    ...existing(files.closed).flatMap(bind("--ro-bind")),
    ...existing(hidden).flatMap(hide),
    ...files.placed.flatMap(([from, to]) => ["--ro-bind", from, to]),
  ];
}

function hide(path: string): readonly string[] {
  return statSync(path).isDirectory()
    ? ["--tmpfs", path, "--remount-ro", path]
    : ["--ro-bind", "/dev/null", path];
}

/** Where the programs of a command line lie, with the packages that they import; what the system has is left out. */
export function programFolders(command: readonly string[]): readonly string[] {
  const paths = [...command, process.execPath].filter((word) => word.startsWith("/") && existsSync(word));
  const all = paths.flatMap((path) => [path, realpathSync(path)]).map(packageOf);
  return [...new Set(all)].filter((path) => !SYSTEM.some((folder) => isWithin(path, folder)));
}

/** The outermost folder of packages that a program lies in, or the program alone. */
function packageOf(path: string): string {
  const at = path.indexOf(`${sep}node_modules${sep}`);
  if (at >= 0) return path.slice(0, at + `${sep}node_modules`.length);
  // Node itself brings npm and its headers along, in a folder of its own.
  if (basename(path) === "node" && basename(dirname(path)) === "bin") return dirname(dirname(path));
  let found = lstatSync(path).isDirectory() ? path : undefined;
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, "package.json"))) found = folder;
  return found ?? path;
}

/** Whether a path is a folder, or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
