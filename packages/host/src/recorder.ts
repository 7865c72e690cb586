/** Recording what passes between a host and an agent. */

export { Recorder } from "./link/recorder.ts";
