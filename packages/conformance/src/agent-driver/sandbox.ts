import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The folders of one scenario: a project to work in, a home, and a place for temporary files, all new. */
export interface Sandbox {
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  readonly tmp: string;
  /** Tells whether a file of the project exists. */
  exists(file: string): boolean;
  /** What a file of the project holds; undefined where there is none. */
  read(file: string): string | undefined;
  /** The session files that the agent wrote into its home. */
  sessionFiles(): readonly string[];
  remove(): Promise<void>;
}

/** Lays out a project with these files in a new temporary folder. */
export async function makeSandbox(files: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  // Agents report the resolved path; it has to be the one that the comparison replaces.
  const root = await realpath(await mkdtemp(join(tmpdir(), "agentwire-conformance-")));
  const cwd = join(root, "project");
  const home = join(root, "home");
  const tmp = join(root, "tmp");
  for (const folder of [cwd, home, tmp]) await mkdir(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  if (Object.keys(files).some(needsTrust)) {
    const projects = { [cwd]: { hasTrustDialogAccepted: true } };
    await writeFile(join(home, ".claude.json"), JSON.stringify({ projects }));
  }
  return {
    root,
    cwd,
    home,
    tmp,
    exists: (file) => existsSync(join(cwd, file)),
    read: (file) => (existsSync(join(cwd, file)) ? readFileSync(join(cwd, file), "utf8") : undefined),
    sessionFiles: () => jsonlFiles(join(home, ".claude", "projects")),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** An agent may ask for trust before it applies these; scenarios give it. */
const needsTrust = (file: string) => file.startsWith(".claude/") || file === ".mcp.json";

function jsonlFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => join(folder, file));
}
