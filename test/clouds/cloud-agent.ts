import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../install.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const AGENT = fileURLToPath(new URL("../../packages/agent/", import.meta.url));

/** Our agent next to the cloud clients, as if a user had installed them together, but without Azure's library. */
export async function installAgent() {
  await installPackages(FOLDER);
  const beside = await mkdtemp(join(FOLDER, "node_modules", ".agent-"));
  const alone = await mkdtemp(join(tmpdir(), "cloud-agent-"));
  await Promise.all([copyAgent(beside), copyAgent(alone)]);
  await mkdir(join(alone, "node_modules"));
  await symlink(join(FOLDER, "node_modules/@anthropic-ai"), join(alone, "node_modules/@anthropic-ai"));
  return {
    program: join(beside, "bin/agentwire-agent"),
    withoutIdentity: join(alone, "bin/agentwire-agent"),
    remove: () => Promise.all([beside, alone].map((place) => rm(place, { recursive: true }))),
  };
}

async function copyAgent(place: string): Promise<void> {
  for (const part of ["bin", "dist", "package.json"])
    await cp(join(AGENT, part), join(place, part), {
      recursive: true,
      filter: (path) => !/\/compiled$/.test(path),
    });
}

/** The agent of the workspace, which has no such clients. */
export const BARE_AGENT = join(AGENT, "bin/agentwire-agent");

export interface Ran {
  readonly lines: readonly { readonly type: string; readonly [key: string]: unknown }[];
  readonly stderr: string;
}

/** Runs the agent for one prompt in a separate folder, with only the given environment. */
export async function runAgent(
  program: string,
  env: Readonly<Record<string, string>>,
  { heard = (_: string) => {}, model = [] as readonly string[] } = {},
): Promise<Ran> {
  const home = await mkdtemp(join(tmpdir(), "cloud-"));
  await writeFile(join(home, "note.txt"), "the word is heron\n");
  const flags = [
    "-p",
    "read note.txt",
    "--output-format",
    "stream-json",
    "--verbose",
    "--include-partial-messages",
  ];
  try {
    return await new Promise((resolve, reject) => {
      const child = execFile(
        process.execPath,
        [program, ...flags, ...model],
        {
          cwd: home,
          env: { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: join(home, ".claude"), ...env },
          timeout: 50_000,
        },
        (error, stdout, stderr) => {
          if (error?.killed) return reject(new Error(`the agent was still running\n${stdout}\n${stderr}`));
          const lines = stdout.split("\n").filter(Boolean);
          resolve({ lines: lines.map((line) => JSON.parse(line)), stderr });
        },
      );
      child.stdin?.end();
      child.stdout?.on("data", (text) => heard(String(text)));
    });
  } finally {
    await rm(home, { recursive: true });
  }
}

/** The last line of a run. */
export const resultOf = ({ lines }: Ran) => lines.findLast(({ type }) => type === "result");

/** The tools that a run started with. */
export const toolsOf = ({ lines }: Ran) => lines.find(({ subtype }) => subtype === "init")?.tools;
