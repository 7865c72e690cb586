import { type Attributes, ROOT_CONTEXT, type Span, type SpanContext, trace } from "@opentelemetry/api";
import { afterEach, expect, test } from "vitest";
import { traceContextOf } from "../src/tracing/trace-context.ts";
import { findTracing, passOn } from "../src/tracing/tracing.ts";
import { openBench, payingAgent } from "./e2e/daemon-bench.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;

afterEach(() => trace.disable());

test.each([
  [PARENT, "a=1", { traceparent: PARENT, tracestate: "a=1" }],
  [PARENT, "\u00e9", { traceparent: PARENT, tracestate: "" }],
  [`00-${"0".repeat(32)}-b7ad6b7169203331-01`, "", undefined],
  [`00-${TRACE}-${"0".repeat(16)}-01`, "", undefined],
  [`${PARENT}\u00a0; rm`, "", undefined],
  ["", "a=1", undefined],
])("trace headers %s %s are accepted only if they are valid", (traceparent, tracestate, expected) => {
  expect(traceContextOf(new Headers({ traceparent, tracestate }))).toEqual(expected);
});

test("without a collector the agent still receives the client's trace, and no span is started", async () => {
  // Loading the interface alone registers no tracer.
  const bench = openBench();
  const talk = await bench.open({ agents: [payingAgent(bench)], spareProcesses: 1 });
  const sessionId = await talk.create();
  await talk.sessions.sendPrompt({ sessionId, text: "1" }, { headers: { traceparent: PARENT } });
  for await (const { events } of talk.sessions.watch({ sessionId })) {
    const done = events.find(({ body }) => body.case === "turnComplete");
    if (!done) continue;
    expect(done.body.value).toMatchObject({ text: PARENT });
    break;
  }
  expect(passOn(undefined, {}).context).toBeUndefined();
}, 60_000);

/** A minimal collector. */
class Spans {
  readonly ended: { readonly parent: string; readonly attributes: Attributes; readonly status: string }[] =
    [];

  getTracer() {
    return {
      startSpan: (_: string, { attributes = {} }: { attributes?: Attributes } = {}, context = ROOT_CONTEXT) =>
        this.#span(attributes, trace.getSpanContext(context)),
      startActiveSpan() {
        throw new Error("nobody needs that");
      },
    };
  }

  #span(attributes: Attributes, parent: SpanContext | undefined): Span {
    let all = attributes;
    let status = "";
    const span = {
      isRecording: () => true,
      spanContext: () => ({ traceId: parent?.traceId ?? TRACE, spanId: "00f067aa0ba902b7", traceFlags: 1 }),
      setAttributes: (more: Attributes) => {
        all = { ...all, ...more };
      },
      setStatus: ({ message = "" }) => {
        status = message;
      },
      end: () => void this.ended.push({ parent: parent?.spanId ?? "", attributes: all, status }),
    };
    return span as unknown as Span;
  }
}

test("with a collector each turn is a span within the client's trace, and the agent receives its context", async () => {
  const spans = new Spans();
  trace.setGlobalTracerProvider(spans as never);
  const tracing = await findTracing();
  expect(tracing).not.toBe(passOn);
  const turn = tracing({ traceparent: PARENT, tracestate: "" }, { "agentwire.agent": "a" });
  expect(turn.context?.traceparent).toBe(`00-${TRACE}-00f067aa0ba902b7-01`);
  turn.end({ "agentwire.cost_usd": 1 }, "it failed");
  expect(spans.ended).toEqual([
    {
      parent: "b7ad6b7169203331",
      attributes: { "agentwire.agent": "a", "agentwire.cost_usd": 1 },
      status: "it failed",
    },
  ]);

  const bench = openBench();
  const talk = await bench.open({ agents: [payingAgent(bench)] });
  const sessionId = await talk.create();
  const [done] = (await talk.turn(sessionId, "0.5")).of("turnComplete");
  expect(done?.text).toBe(`00-${TRACE}-00f067aa0ba902b7-01`);
  await talk.turn(sessionId, "0.25");
  expect(spans.ended.slice(1)).toMatchObject([
    { status: "", attributes: { "agentwire.session_id": sessionId, "agentwire.cost_usd": 0.5 } },
    { status: "", attributes: { "agentwire.session_id": sessionId, "agentwire.cost_usd": 0.25 } },
  ]);
}, 60_000);
