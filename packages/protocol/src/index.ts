/** The wire: lines, messages, and both ends of a connection. */

export type { Handlers, RequestContext } from "./connection/answering.ts";
export {
  type AgentConnection,
  type AgentConnectionOptions,
  connectToAgent,
  connectToHost,
  type HostConnection,
  type HostConnectionOptions,
} from "./connection/ends.ts";
export type { ConnectionOptions, MalformedContext } from "./connection/options.ts";
export type { RequestLimits } from "./connection/pending.ts";
export {
  PROTOCOL_ERRORS,
  ProtocolError,
  type ProtocolErrorCode,
  type ProtocolErrorOptions,
} from "./errors.ts";
export { isJsonObject, type JsonObject } from "./json.ts";
export { rawMessage, readMessage, type Sink } from "./lines/decode.ts";
export { encodeLine } from "./lines/encode.ts";
export { BadLine, DEFAULT_MAX_LINE_BYTES, type Line, LineSplitter, readLines } from "./lines/lines.ts";
export { type FaultCode, Malformed } from "./lines/malformed.ts";
export { parseLine } from "./lines/parse.ts";
export type { AgentMessage, HostMessage } from "./message.ts";
export type { Repair } from "./schema/reading.ts";
export { Unknown } from "./schema/unknown.ts";
