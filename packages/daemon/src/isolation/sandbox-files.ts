import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

/** System folders; those that do not exist are skipped. */
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
/** Secrets in the system's configuration, which an agent running as root could read. */
const SECRETS = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/ssl/private",
  "/etc/ssh",
];
/** The maximum size of each temporary folder, which is kept in memory. */
const TEMPORARY_BYTES = 1024 ** 3;

/** The files that are visible in a sandbox, and which of them are writable. */
export interface SandboxFiles {
  /** The home folder, empty except for the paths below. */
  readonly home: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Paths inside `writable` that can't be moved, so that `closed` paths in them can't be moved away with them. */
  readonly fixed: readonly string[];
  /** Paths inside `writable` that are read-only. */
  readonly closed: readonly string[];
  /** Paths that can't even be read. */
  readonly hidden: readonly string[];
  /** Our own files, with their paths inside the sandbox. */
  readonly placed: readonly (readonly [from: string, to: string])[];
}

/** The options of `bwrap` for these files; later options override earlier ones. */
export function fileOptions(files: SandboxFiles): readonly string[] {
  const existing = (paths: readonly string[]) => paths.filter((path) => existsSync(path));
  const bind = (how: string) => (path: string) => [how, path, path];
  // Paths outside all visible folders need not be hidden.
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

/** The folders of the programs in a command line, including the packages that they import; system folders are excluded. */
export function programFolders(command: readonly string[]): readonly string[] {
  const paths = [...command, process.execPath].filter((word) => word.startsWith("/") && existsSync(word));
  const all = paths.flatMap((path) => [path, realpathSync(path)]).map(packageOf);
  return [...new Set(all)].filter((path) => !SYSTEM.some((folder) => isWithin(path, folder)));
}

/** The outermost package folder that contains a program, or just the program. */
function packageOf(path: string): string {
  const at = path.indexOf(`${sep}node_modules${sep}`);
  if (at >= 0) return path.slice(0, at + `${sep}node_modules`.length);
  // Node.js comes with npm and its headers in its own folder.
  if (basename(path) === "node" && basename(dirname(path)) === "bin") return dirname(dirname(path));
  let found = lstatSync(path).isDirectory() ? path : undefined;
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, "package.json"))) found = folder;
  return found ?? path;
}

/** Whether a path is a folder itself, or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
