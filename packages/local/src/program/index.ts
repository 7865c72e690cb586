export { type LoadedProgram, loadProgram } from "./load.ts";
export { type GivenPrompt, readPrompt } from "./read-prompt.ts";
