/** What the Anthropic client imports of OpenTelemetry and never calls, because the agent turns its tracing off (`openTelemetry: false`). */
export const context = { active: () => undefined, with: (_, act) => act() };
export const propagation = { fields: () => [], inject() {} };
export const trace = { isSpanContextValid: () => false, setSpan: (parent) => parent };
export const SpanKind = { CLIENT: 2 };
export const SpanStatusCode = { OK: 1, ERROR: 2 };
