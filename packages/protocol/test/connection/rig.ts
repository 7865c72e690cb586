import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import type { AgentConnection, HostConnection } from "../../src/connection/ends.ts";
import { connectToAgent, connectToHost } from "../../src/connection/ends.ts";
import { ProtocolError } from "../../src/errors.ts";

type HostOptions = Partial<Parameters<typeof connectToAgent>[0]>;
type AgentOptions = Partial<Parameters<typeof connectToHost>[0]>;

/** Both ends of a wire, and the wire itself. */
export function connect(hostOptions: HostOptions = {}, agentOptions: AgentOptions = {}) {
  const toAgent = new PassThrough();
  const toHost = new PassThrough();
  const host: AgentConnection = connectToAgent({ input: toHost, output: toAgent, ...hostOptions });
  const agent: HostConnection = connectToHost({ input: toAgent, output: toHost, ...agentOptions });
  onTestFinished(() => Promise.all([host.close(), agent.close()]).then(() => {}));
  return { host, agent, toAgent, toHost };
}

/** One end of a wire whose other end is the test. */
export function alone(options: HostOptions = {}) {
  const fromAgent = new PassThrough();
  const toAgent = new PassThrough();
  const host = connectToAgent({ input: fromAgent, output: toAgent, ...options });
  onTestFinished(() => host.close());
  const written = () => {
    // From Node 26 on, a stream delivers one chunk at a time.
    let text = "";
    for (let chunk = toAgent.read(); chunk !== null; chunk = toAgent.read()) text += chunk;
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  return { host, fromAgent, toAgent, written };
}

/** A value as a line on the wire. */
export const line = (value: unknown) => `${JSON.stringify(value)}\n`;
/** The line that answers a request. */
export const success = (requestId: string, response: unknown = {}) =>
  line({ type: "control_response", response: { subtype: "success", request_id: requestId, response } });
/** The code of the error that a promise rejects with. */
export const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "answered",
    (error: unknown) => (error instanceof ProtocolError ? error.code : error),
  );
