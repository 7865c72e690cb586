import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, resolve } from "node:path";
import { isFile, isProgram, onPath } from "@agentwire/local/files";
import { HostError } from "../errors.ts";

/** A program that is an agent, and how it was found. */
export interface FoundAgent {
  readonly path: string;
  /** Given by the caller, the official agent on PATH, or the agent of this project. */
  readonly origin: "given" | "path" | "own";
}

/** How to run a script: with another program than the host's runtime, or with arguments for the runtime. */
export interface ScriptRuntime {
  readonly executable?: string | undefined;
  readonly executableArgs?: readonly string[] | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const OFFICIAL = "claude";
const OWN = { package: "@agentwire/agent", program: "agentwire-agent" };

/** Files that need a runtime to run them, as in the official SDK. */
const SCRIPTS: ReadonlySet<string> = new Set([".js", ".mjs", ".ts", ".tsx", ".jsx"]);

/** Finds an agent: the given one (a path, or a name on PATH), else the official one on PATH, else our own. */
export function findAgent(given: string | undefined, env: Environment, cwd?: string): FoundAgent {
  if (given !== undefined) return { path: givenPath(given, env, cwd), origin: "given" };
  const official = onPath(OFFICIAL, env);
  if (official !== undefined) return { path: official, origin: "path" };
  const own = ownAgent() ?? onPath(OWN.program, env);
  if (own !== undefined) return { path: own, origin: "own" };
  const text = `${OFFICIAL} is not on PATH and ${OWN.package} is not installed. Install one, or give its path.`;
  throw new HostError("agent_not_found", text);
}

/** The command line that runs an agent: a script needs a runtime, by default that of the host; anything else runs directly. */
export function commandOf(path: string, runtime: ScriptRuntime = {}): readonly [string, ...string[]] {
  const { executable = "bun" in process.versions ? "bun" : "node", executableArgs = [] } = runtime;
  // A program that is not a script gets the runtime's arguments itself, as in the official SDK.
  return SCRIPTS.has(extname(path)) ? [executable, ...executableArgs, path] : [path, ...executableArgs];
}

function givenPath(given: string, env: Environment, cwd: string | undefined): string {
  const hasFolder = given.includes("/") || given.includes("\\");
  const path = hasFolder ? resolve(cwd ?? "", given) : (onPath(given, env) ?? resolve(cwd ?? "", given));
  if (!isFile(path)) {
    const what = hasFolder
      ? `No agent found at ${JSON.stringify(given)}:`
      : `${JSON.stringify(given)} is not on PATH: install it, or`;
    throw new HostError("agent_not_found", `${what} give the path of one.`);
  }
  if (!SCRIPTS.has(extname(path)) && !isProgram(path))
    throw new HostError("not_executable", `${JSON.stringify(given)} is not executable: try chmod +x.`);
  return path;
}

/** Our own agent, if it is installed next to this package: found as a program, never loaded as code. */
function ownAgent(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${OWN.package}/package.json`);
    const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: Record<string, string> };
    const path = resolve(dirname(manifest), bin[OWN.program] ?? "");
    return isFile(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
