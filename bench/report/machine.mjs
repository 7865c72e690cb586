import { readFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";

/** What the figures depend on: the machine, Node, and the versions of the reference programs. */
export function machine() {
  return {
    cores: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform}-${process.arch}`,
    node: process.version,
    official_cli: Object.values(manifest("../official/package.json").optionalDependencies)[0],
    official_sdk: manifest("../../test/interop/package.json").dependencies["@anthropic-ai/claude-agent-sdk"],
  };
}

const manifest = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
