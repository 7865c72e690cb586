// A test run that leaves a process behind, prints its process id and waits to be killed.
import { spawn } from "node:child_process";
import { setup } from "./leftovers.setup.ts";

setup();
const left = spawn("sleep", ["1000"], { stdio: "ignore", detached: true });
left.unref();
process.stdout.write(`${left.pid}\n`);
process.stdin.resume();
