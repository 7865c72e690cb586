import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { NotMeasured } from "../measure.mjs";

const FOLDER = fileURLToPath(new URL("../official/", import.meta.url));
const PROGRAM = `${FOLDER}node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`;

/** The path of the official agent, installed if it is missing. Only these benchmarks need its 350 MB. */
export async function installOfficialAgent() {
  if (existsSync(PROGRAM)) return PROGRAM;
  process.stderr.write("installing the official agent into bench/official, once\n");
  const stdio = ["ignore", "ignore", "inherit"];
  spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: FOLDER, stdio });
  if (!existsSync(PROGRAM)) throw new NotMeasured("the official agent can't be installed here");
  return PROGRAM;
}
