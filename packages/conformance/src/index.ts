export { type Covered, protocolCoverage } from "./coverage/coverage.ts";
export type { Contract } from "./drift/contract.ts";
export { type Change, type Drift, diffContracts, type Side } from "./drift/diff.ts";
export { readContract } from "./drift/read-contract.ts";
export { main as conformance } from "./main.ts";
export { type Fault, type FaultKind, parseFault, withFault } from "./scripted-agent/fault.ts";
export { main as playAgent } from "./scripted-agent/main.ts";
export { type Ending, playScript, type Streams } from "./scripted-agent/player.ts";
export { type Learn, parseScript, ScriptError, type Step, stepsOf } from "./scripted-agent/step.ts";
export { main as serveApi } from "./scripted-api/main.ts";
export { parseApiScript } from "./scripted-api/parse-script.ts";
export { type ApiRequest, RequestLog } from "./scripted-api/requests.ts";
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
