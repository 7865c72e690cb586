export { type LoadedProgram, loadProgram } from "./load.ts";
