import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { debianProgram } from "./debian.ts";
import { PLACE_FOR_STORES } from "./place-for-stores.ts";

const BIN = "/usr/lib/postgresql/15/bin";
const USER = "postgres";
/** The port by which standbys find their primary. */
const PORT = "5432";

/** The stdin of the server's shell closes when the run ends, even if the run is killed. */
const SCRIPT = `
"$@" >/dev/null 2>&1 &
server=$!
cat
kill -INT $server
wait $server
`;

const SETTINGS = {
  listen_addresses: "",
  fsync: "off",
  log_min_messages: "fatal",
  max_connections: "200",
  // The shared memory of a killed server is removed with its folder.
  dynamic_shared_memory_type: "mmap",
};

/** A PostgreSQL server in a separate folder. It can be killed, restarted, and followed by a standby. */
export class PostgresServer {
  /** The folder of its socket. */
  readonly folder: string;
  readonly #settings: Readonly<Record<string, string>>;
  #shell: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();

  private constructor(folder: string, settings: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.#settings = { ...SETTINGS, ...settings };
  }

  /** Starts a server with only its built-in databases. */
  static begin(settings: Readonly<Record<string, string>> = {}): PostgresServer {
    debianProgram("postgresql-15", [join(BIN, "postgres")]);
    const server = new PostgresServer(newFolder(), settings);
    const where = ["-D", server.#data, "-A", "trust", "-U", USER];
    run(join(BIN, "initdb"), ...where, "--no-locale", "-E", "UTF8", "-N");
    server.start();
    return server;
  }

  /** Starts a standby that follows this server. */
  follow(settings: Readonly<Record<string, string>> = {}): PostgresServer {
    const standby = new PostgresServer(newFolder(), { ...this.#settings, ...settings });
    run(
      join(BIN, "pg_basebackup"),
      "-h",
      this.folder,
      "-p",
      PORT,
      "-D",
      standby.#data,
      "-U",
      USER,
      "-R",
      "-N",
    );
    standby.start();
    return standby;
  }

  /** The address of a database. */
  url(database = "postgres"): string {
    return `postgres://${USER}@localhost/${database}?host=${encodeURIComponent(this.folder)}`;
  }

  start(): void {
    const settings = { ...this.#settings, unix_socket_directories: this.folder };
    const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const server = [...asUser(), join(BIN, "postgres"), "-D", this.#data, ...options];
    const shell = spawn("sh", ["-c", SCRIPT, "sh", ...server], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    this.#shell = shell;
    this.#ended = new Promise<void>((resolve) => shell.once("exit", () => resolve()));
    const ready = `${join(BIN, "pg_isready")} -q -h ${this.folder} -p ${PORT}`;
    run("sh", "-c", `for i in $(seq 600); do ${ready} && exit; sleep 0.1; done; exit 1`);
  }

  /** Kills all of its processes, as if the machine lost power. */
  async kill(): Promise<void> {
    const pid = Number(readFileSync(join(this.#data, "postmaster.pid"), "utf8").split("\n")[0]);
    const others = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
    for (const one of [pid, ...others.map(Number)]) end(one);
    await this.end();
  }

  /** Promotes a standby to a server that accepts writes. */
  promote(): void {
    run(join(BIN, "pg_ctl"), "promote", "-w", "-D", this.#data);
  }

  async end(): Promise<void> {
    this.#shell?.stdin?.end();
    await this.#ended;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.folder, "data");
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It was about to end anyway.
  }
}

/** PostgreSQL refuses to run as root. */
const isRoot = () => userInfo().uid === 0;
const asUser = () => (isRoot() ? ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--init-groups"] : []);

function run(...command: readonly string[]): void {
  const [program, ...args] = [...asUser(), ...command] as [string, ...string[]];
  execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"] });
}

function newFolder(): string {
  const folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-postgres-"));
  if (isRoot()) execFileSync("chown", [USER, folder]);
  chmodSync(folder, 0o755);
  return folder;
}
