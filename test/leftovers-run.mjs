// A test run that leaves a process behind and prints its number; then it waits to be killed.
import { spawn } from "node:child_process";
import { setup } from "./leftovers.setup.ts";

setup();
const left = spawn("sleep", ["1000"], { stdio: "ignore", detached: true });
left.unref();
process.stdout.write(`${left.pid}\n`);
process.stdin.resume();
