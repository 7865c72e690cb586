/** Utilities shared by the packages around the wire: logs, deadlines, queues, redaction, exit codes. */

export { closest } from "../closest.ts";
export { Queue } from "../connection/queue.ts";
export { after, MAX_TIMER_MS, within } from "../deadline.ts";
export { errorMessage } from "../errors.ts";
export { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
export { asString, MAX_DEPTH, nestsDeeperThan, parseJson, parseJsonObject } from "../json.ts";
export { jsonLog, type Log, type LogFields, type LogLevel, silentLog } from "../log.ts";
export { type Redact, redactor, secretsIn } from "../redact/redactor.ts";
export type { SupervisedLine, SupervisorLine } from "../supervision.ts";
export { parseUrl } from "../url.ts";
