export { type Fault, type FaultKind, parseFault, withFault } from "./scripted-agent/fault.ts";
export { type Ending, playScript, type Streams } from "./scripted-agent/player.ts";
export { type Learn, parseScript, ScriptError, type Step, stepsOf } from "./scripted-agent/step.ts";
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
export type { Quirks } from "./scripted-api/wires/wire.ts";
