import { promisify } from "node:util";

/** The functions of `node:child_process` that the agent calls: most first turns start no program, and loading the module takes 0.3 MB. */
const real = () => require("node:child_process");

export const spawn = (...args) => real().spawn(...args);

export const execFile = (...args) => real().execFile(...args);
execFile[promisify.custom] = (...args) => promisify(real().execFile)(...args);
