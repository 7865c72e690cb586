import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The folders of one scenario: a project, a home and a folder for temporary files, all new. */
export interface Sandbox {
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  readonly tmp: string;
  /** Whether a file of the project exists. */
  exists(file: string): boolean;
  /** The content of a file of the project; undefined if there is none. */
  read(file: string): string | undefined;
  /** The session files that the agent wrote into its home. */
  sessionFiles(): readonly string[];
  remove(): Promise<void>;
}

/** Creates a project with these files in a new temporary folder. */
export async function makeSandbox(files: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  // Agents report the resolved path, so that is the one for the comparison to replace.
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

/** An agent may require trust before it applies these files; scenarios grant it. */
const needsTrust = (file: string) => file.startsWith(".claude/") || file === ".mcp.json";

function jsonlFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => join(folder, file));
}
