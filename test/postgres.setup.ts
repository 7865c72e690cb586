import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { debianProgram } from "./debian.ts";
import { PLACE_FOR_STORES } from "./place-for-stores.ts";

/** The variable that says where the server of a run is asked for. */
export const SERVER_SOCKET = "AGENTWIRE_TEST_POSTGRES";

const BIN = "/usr/lib/postgresql/15/bin";
const USER = "postgres";

/** The input of the server's shell ends when the run does, even if that is killed. */
const SCRIPT = `
"$@" >/dev/null 2>&1 &
server=$!
cat
kill -INT $server
wait $server
`;

/** Offers one PostgreSQL server to all tests of a run: it is started when the first of them asks for it, and ends with the run. */
export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-postgres-"));
  let running: { readonly url: string; readonly end: () => Promise<void> } | undefined;
  const door = createServer((socket) => {
    socket.on("error", () => {});
    try {
      running ??= startServer(folder);
      socket.end(running.url);
    } catch (error) {
      socket.destroy();
      process.stderr.write(`PostgreSQL did not start: ${String(error)}\n`);
    }
  });
  process.env[SERVER_SOCKET] = join(folder, "door");
  door.listen(process.env[SERVER_SOCKET]);
  door.unref();
  return async () => {
    door.close();
    await running?.end();
    rmSync(folder, { recursive: true, force: true });
  };
}

function startServer(folder: string) {
  const postgres = debianProgram("postgresql-15", [join(BIN, "postgres")]);
  const data = join(folder, "data");
  // The server does not run as root.
  const isRoot = userInfo().uid === 0;
  const asUser = isRoot ? ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--init-groups"] : [];
  const run = (...command: readonly string[]) => {
    const [program, ...args] = [...asUser, ...command] as [string, ...string[]];
    return execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  };
  if (isRoot) execFileSync("chown", [USER, folder]);
  chmodSync(folder, 0o755);
  run(join(BIN, "initdb"), "-D", data, "-A", "trust", "-U", USER, "--no-locale", "-E", "UTF8", "-N");
  const settings = {
    listen_addresses: "",
    unix_socket_directories: folder,
    fsync: "off",
    log_min_messages: "fatal",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const shell = spawn("sh", ["-c", SCRIPT, "sh", ...asUser, postgres, "-D", data, ...options], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  run(
    "sh",
    "-c",
    `for i in $(seq 600); do ${join(BIN, "pg_isready")} -q -h ${folder} && exit; sleep 0.1; done; exit 1`,
  );
  const ended = new Promise<void>((resolve) => shell.once("exit", () => resolve()));
  return {
    url: `postgres://${USER}@localhost/postgres?host=${encodeURIComponent(folder)}`,
    async end() {
      shell.stdin?.end();
      await ended;
    },
  };
}
