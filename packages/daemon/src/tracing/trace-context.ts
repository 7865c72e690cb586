/** A position in a trace, as passed between programs in headers and environment variables (W3C Trace Context). */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string;
}

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{0,512}$/;

/** The trace context in a client's headers; undefined if there is none, or it is invalid. */
export function traceContextOf(header: Headers): TraceContext | undefined {
  const traceparent = header.get("traceparent") ?? "";
  const tracestate = header.get("tracestate") ?? "";
  if (!TRACEPARENT.test(traceparent)) return undefined;
  return { traceparent, tracestate: TRACESTATE.test(tracestate) ? tracestate : "" };
}

/** The same for the environment of a new process. */
export function traceEnv(context: TraceContext | undefined): Readonly<Record<string, string>> {
  if (!context) return {};
  const { traceparent, tracestate } = context;
  return { TRACEPARENT: traceparent, ...(tracestate !== "" && { TRACESTATE: tracestate }) };
}
