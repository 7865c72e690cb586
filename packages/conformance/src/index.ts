export { main as conformance } from "./main.ts";
export { type Fault, type FaultKind, parseFault, withFault } from "./scripted-agent/fault.ts";
export { main as playAgent } from "./scripted-agent/main.ts";
export { type Ending, playScript } from "./scripted-agent/player.ts";
export { parseScript, ScriptError, type Step, stepsOf } from "./scripted-agent/step.ts";
export {
  type Break,
  calls,
  type Failure,
  fails,
  type Reply,
  type Reset,
  type Script,
  type Step as ApiStep,
  says,
  toolUse,
} from "./scripted-api/script.ts";
export { type ScriptedApi, startScriptedApi } from "./scripted-api/server.ts";
export { readTranscript, type Transcript, type TranscriptLine } from "./transcript.ts";
