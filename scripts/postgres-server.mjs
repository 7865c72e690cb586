import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";

/** The folder of PostgreSQL's server programs, which distributions keep out of PATH; undefined if no recent version is installed. */
export function findServer() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).filter((version) => Number(version) >= 15) : [];
  const known = versions
    .map((version) => join(debian, version, "bin"))
    .concat((process.env.PATH ?? "").split(":"));
  return known.find((folder) => existsSync(join(folder, "initdb")));
}

/** Starts a server in a new folder, on a Unix socket; PostgreSQL refuses to run as root. */
export function startServer(folder) {
  const bin = findServer();
  mkdirSync(folder);
  const isRoot = userInfo().uid === 0;
  const as = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : [];
  if (isRoot) {
    execFileSync("chown", ["postgres", folder]);
    execFileSync("chmod", ["755", dirname(folder)]);
  }
  const data = join(folder, "data");
  const run = ([program, ...args]) =>
    execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"], cwd: folder });
  run([...as, join(bin, "initdb"), "-D", data, "-A", "trust", "-U", "agentwire"]);
  const [program, ...args] = [
    ...as,
    ...[join(bin, "postgres"), "-D", data, "-k", folder, "-c", "listen_addresses="],
  ];
  const server = spawn(program, args, { stdio: "ignore" });
  const ready = `${join(bin, "pg_isready")} -q -h ${folder}`;
  run(["sh", "-c", `for i in $(seq 300); do ${ready} && exit; sleep 0.1; done; exit 1`]);
  return {
    url: `postgres://agentwire@localhost/postgres?host=${encodeURIComponent(folder)}`,
    async end() {
      const exited = once(server, "exit");
      server.kill("SIGINT");
      await exited;
    },
  };
}
