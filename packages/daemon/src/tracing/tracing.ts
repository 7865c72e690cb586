import type { SpanContext } from "@opentelemetry/api";
import { VERSION } from "../version.ts";
import type { TraceContext } from "./trace-context.ts";

/** Attributes of a turn, known before or after it. */
export type TurnFacts = Readonly<Record<string, string | number>>;

/** A turn in a trace. */
export interface TurnTrace {
  /** The trace context for the agent; undefined without a trace. */
  readonly context: TraceContext | undefined;
  /** The turn has ended; with a reason if it failed. */
  end(facts: TurnFacts, failure?: string): void;
}

/** Begins the span of a turn; `parent` is the client's trace context. */
export type Tracing = (parent: TraceContext | undefined, facts: TurnFacts) => TurnTrace;

/** Without a trace collector, the client's trace context is passed on to the agent. */
export const passOn: Tracing = (context) => ({ context, end: () => {} });

/** Where OpenTelemetry stores its registered providers. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

/** Creates spans with a provider registered with OpenTelemetry before the daemon was started; otherwise nothing is loaded. */
export async function findTracing(): Promise<Tracing> {
  if (!(REGISTERED in globalThis)) return passOn;
  const { ROOT_CONTEXT, SpanStatusCode, trace, createTraceState } = await import("@opentelemetry/api");
  const tracer = trace.getTracer("agentwire", VERSION);
  return (parent, facts) => {
    const around = parent
      ? trace.setSpanContext(ROOT_CONTEXT, {
          ...spanContextOf(parent),
          ...(parent.tracestate !== "" && { traceState: createTraceState(parent.tracestate) }),
        })
      : ROOT_CONTEXT;
    const span = tracer.startSpan("agentwire.turn", { attributes: { ...facts } }, around);
    return {
      context: span.isRecording() ? contextOf(span.spanContext()) : parent,
      end(more, failure) {
        span.setAttributes({ ...more });
        if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
        span.end();
      },
    };
  };
}

function spanContextOf({ traceparent }: TraceContext): SpanContext {
  const [, traceId = "", spanId = "", flags = "0"] = traceparent.split("-");
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

const contextOf = ({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext => ({
  traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
  tracestate: traceState?.serialize() ?? "",
});
