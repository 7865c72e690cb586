/** The programs of this package, as functions of their arguments. */

export { main as conformance } from "../main.ts";
export { main as playAgent } from "../scripted-agent/main.ts";
