import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { NotMeasured } from "../measure.mjs";

/**
 * Runs a script without a network except the loopback interface, and returns its JSON output. Scripts with the same `lock`, a file, run
 * one at a time.
 */
export async function runInNamespace(script, args, lock) {
  const unshare = ["--net", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"])];
  const isolated = (command) => [...unshare, "sh", "-c", `ip link set lo up && ${command}`];
  const { status } = spawnSync("unshare", isolated("true"), { stdio: "ignore" });
  if (status !== 0) throw new NotMeasured("no network namespace can be made here (unshare --net, ip link)");

  const command = ["unshare", ...isolated('exec "$@"'), "sh", process.execPath, script, ...args];
  const [program, ...words] = lock === undefined ? command : ["flock", "--close", lock, ...command];
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`${script} ${args[0]} failed (${code})`);
  return JSON.parse(printed);
}
