import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Finds a program at one of these paths, or else installs its Debian package and says so. Throws if that fails. */
export function debianProgram(name: string, places: readonly string[]): string {
  const find = () => places.find((path) => existsSync(path));
  return find() ?? install(name, find);
}

function install(name: string, find: () => string | undefined): string {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // Other workers may install a package at the same moment, and apt-get does not wait for its own lock.
  execFileSync("flock", [LOCK, "sh", "-ec", INSTALL, "sh", name], { env, stdio: "inherit" });
  const path = find();
  if (path === undefined) throw new Error(`${name} is missing, and apt-get did not install it`);
  return path;
}

const LOCK = join(tmpdir(), "agentwire-apt-get.lock");
const INSTALL = `
  dpkg -s "$1" >/dev/null 2>&1 && exit
  echo "A test needs $1; installing it: apt-get install $1" >&2
  apt-get update
  apt-get install -y --no-install-recommends "$1"
`;
