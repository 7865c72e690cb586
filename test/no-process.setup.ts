import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

function refuse(): never {
  throw new Error("a quick test starts no process: take the file out of the list in test/quick.ts");
}

// The implementation that `spawn`, `exec`, `execFile` and `fork` share; the other functions don't use it.
Object.assign(childProcess.ChildProcess.prototype, { spawn: refuse });
Object.assign(childProcess, { spawnSync: refuse, execSync: refuse, execFileSync: refuse });
syncBuiltinESMExports();
