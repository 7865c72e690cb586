import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Call, type ForeignClient, fromBytes, type Outcome, type Place } from "./call.ts";

const PROGRAM = fileURLToPath(new URL("grpcio.py", import.meta.url));

/** gRPC for Python, in one process for all calls. */
export function grpcio(): ForeignClient {
  const child = spawn("/usr/bin/python3", [PROGRAM], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env.PATH },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    name: "grpcio",
    async call(place: Place, call: Call): Promise<Outcome> {
      const asked = {
        target: place.socketPath === undefined ? place.url.host : `unix:${place.socketPath}`,
        ca: place.ca,
        host: call.host,
        kind: call.method.methodKind,
        path: call.path,
        bodies: call.bytes.map((bytes) => Buffer.from(bytes).toString("base64")),
        metadata: call.token === undefined ? [] : [["authorization", `Bearer ${call.token}`]],
        timeout: call.timeoutMs === undefined ? undefined : call.timeoutMs / 1000,
      };
      child.stdin.write(`${JSON.stringify(asked)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error("the Python program has ended");
      const { code, text, answers } = JSON.parse(value) as { code: number; text: string; answers: string[] };
      return { code, text, answers: answers.map((answer) => fromBytes(call, Buffer.from(answer, "base64"))) };
    },
    close: () => child.stdin.end(),
  };
}
