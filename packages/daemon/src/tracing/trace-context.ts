/** Where in a trace something happens, as programs tell each other in headers and environments (W3C Trace Context). */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string;
}

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{0,512}$/;

/** What a client says of its trace; undefined if that is nothing, or makes no sense. */
export function traceContextOf(header: Headers): TraceContext | undefined {
  const traceparent = header.get("traceparent") ?? "";
  const tracestate = header.get("tracestate") ?? "";
  if (!TRACEPARENT.test(traceparent)) return undefined;
  return { traceparent, tracestate: TRACESTATE.test(tracestate) ? tracestate : "" };
}

/** The same for a process that is started. */
export function traceEnv(context: TraceContext | undefined): Readonly<Record<string, string>> {
  if (!context) return {};
  const { traceparent, tracestate } = context;
  return { TRACEPARENT: traceparent, ...(tracestate !== "" && { TRACESTATE: tracestate }) };
}
