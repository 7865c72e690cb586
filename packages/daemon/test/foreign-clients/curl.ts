import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  type Call,
  type ForeignClient,
  framed,
  fromBytes,
  fromText,
  type Outcome,
  type Place,
  toldBy,
  unframed,
} from "./call.ts";

const END_OF_STREAM = 2;

/** Calls curl with each configuration file that stdin names, and says when it has ended. */
const CALL_ALL = `while read -r call; do curl --config "$call" >"$call.out" 2>"$call.err"; echo; done`;

/**
 * curl, the first thing people try, with JSON where possible. A shell starts it for each call: starting it from the test's own process,
 * which is large, takes twice the CPU time.
 */
export function curl(version: "HTTP/1" | "HTTP/2"): ForeignClient {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-curl-"));
  const shell = spawn("sh", ["-c", CALL_ALL], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env.PATH },
  });
  const ends = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  const config = join(folder, "call");
  return {
    name: `curl by ${version}`,
    async call(place, call) {
      writeFileSync(`${config}.in`, bodyOf(call));
      const options = [
        ["url", urlOf(place, call)],
        ["data-binary", `@${config}.in`],
        ...optionsOf(place, call, version),
      ];
      writeFileSync(
        config,
        options
          .map(([name, value]) =>
            value === undefined ? `${name}\n` : `${name} = ${JSON.stringify(value)}\n`,
          )
          .join(""),
      );
      shell.stdin.write(`${config}\n`);
      if ((await ends.next()).done) throw new Error("the shell has ended");
      const out = readFileSync(`${config}.out`);
      if (out.length === 0) throw new Error(readFileSync(`${config}.err`, "utf8"));
      return outcome(call, out);
    },
    close() {
      shell.stdin.end();
      rmSync(folder, { recursive: true });
    },
  };
}

const isStream = ({ method }: Call) => method.methodKind !== "unary";

/** The options as in curl's configuration file. */
function optionsOf({ socketPath, ca }: Place, call: Call, version: string): readonly (readonly string[])[] {
  const http2 = ca === undefined ? "http2-prior-knowledge" : "http2";
  const form = call.json ? "json" : "proto";
  const type = call.contentType ?? `application/${isStream(call) ? "connect+" : ""}${form}`;
  const headers = [
    `content-type: ${type}`,
    "expect:",
    ...(call.token === undefined ? [] : [`authorization: Bearer ${call.token}`]),
    ...(call.host === undefined ? [] : [`host: ${call.host}`]),
    ...(call.timeoutMs === undefined ? [] : [`connect-timeout-ms: ${call.timeoutMs}`]),
  ];
  return [
    ...[["silent"], ["show-error"], ["include"], ["max-time", "20"]],
    [version === "HTTP/1" ? "http1.1" : http2],
    ...(socketPath === undefined ? [] : [["unix-socket", socketPath]]),
    ...(ca === undefined ? [] : [["cacert", ca]]),
    ...headers.map((header) => ["header", header]),
  ];
}

const urlOf = ({ url }: Place, { path }: Call) => new URL(path, url).href;

function bodyOf(call: Call): Uint8Array {
  const bodies = call.json?.map((json) => Buffer.from(json)) ?? call.bytes;
  return isStream(call) ? Buffer.concat(bodies.map(framed)) : (bodies[0] ?? new Uint8Array());
}

function outcome(call: Call, out: Buffer): Outcome {
  const end = out.indexOf("\r\n\r\n");
  const status = Number(/^HTTP\/[\d.]+ (\d+)/.exec(out.toString("latin1"))?.[1]);
  const body = out.subarray(end + 4);
  const read = (data: Buffer) => (call.json ? fromText(call, data.toString()) : fromBytes(call, data));
  if (status !== 200) return { ...toldBy(JSON.parse(body.toString())), answers: [] };
  if (!isStream(call)) return { code: 0, text: "", answers: [read(body)] };
  const frames = unframed(body);
  const last = frames.find(({ flags }) => flags === END_OF_STREAM);
  if (!last) throw new Error("the stream has no end");
  const { error } = JSON.parse(last.data.toString()) as { error?: { code: string; message: string } };
  const answers = frames.filter((frame) => frame !== last).map(({ data }) => read(data));
  return { ...(error ? toldBy(error) : { code: 0, text: "" }), answers };
}
