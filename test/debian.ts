import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** A program at one of these places; where there is none its Debian package is installed, and that is said. Throws if it can't be. */
export function debianProgram(name: string, places: readonly string[]): string {
  const find = () => places.find((path) => existsSync(path));
  return find() ?? install(name, find);
}

function install(name: string, find: () => string | undefined): string {
  process.stderr.write(`A test needs ${name}; installing it: apt-get install ${name}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  execFileSync("apt-get", ["update"], { env, stdio: "inherit" });
  execFileSync("apt-get", ["install", "-y", "--no-install-recommends", name], { env, stdio: "inherit" });
  const path = find();
  if (path === undefined) throw new Error(`there is no ${name}, and apt-get did not bring one`);
  return path;
}
