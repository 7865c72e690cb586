export {
  parseScript as parseApiScript,
  type Script,
  type ScriptError as ApiFailure,
  type ScriptReply as ApiReply,
  type ScriptReset as ApiReset,
  type ScriptStep as ApiStep,
} from "@agentwire/models/script";
export { type Fault, type FaultKind, parseFault, withFault } from "./scripted-agent/fault.ts";
export { type Ending, playScript, type Streams } from "./scripted-agent/player.ts";
export { type Learn, parseScript, ScriptError, type Step, stepsOf } from "./scripted-agent/step.ts";
export { type ApiRequest, RequestLog } from "./scripted-api/requests.ts";
export { calls, fails, says, toolUse } from "./scripted-api/script.ts";
export { type ScriptedApi, startScriptedApi } from "./scripted-api/server.ts";
export { startTalkApi, type TalkApi, type TalkReply } from "./scripted-api/talk-api.ts";
export type { Quirks } from "./scripted-api/wires/wire.ts";
