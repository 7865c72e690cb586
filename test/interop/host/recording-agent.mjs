#!/usr/bin/env node
import { appendFileSync } from "node:fs";
import { argv, env, exit, stdin, stdout } from "node:process";
import { playAgent } from "./play-agent.mjs";

// A minimal agent that records how it was started and what it received, in the file that `--record-to FILE` names.
if (argv.includes("--version")) {
  stdout.write("2.1.325 (Claude Code)\n");
  exit(0);
}
const file = argv[argv.indexOf("--record-to") + 1];
await playAgent({
  argv: argv.slice(2),
  env,
  input: stdin,
  output: stdout,
  record: (kind, value) => appendFileSync(file, `${JSON.stringify({ kind, value })}\n`),
});
