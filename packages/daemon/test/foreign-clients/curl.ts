import { spawn } from "node:child_process";
import { buffer } from "node:stream/consumers";
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

/** curl, the first thing people try, with JSON where possible. */
export function curl(version: "HTTP/1" | "HTTP/2"): ForeignClient {
  return {
    name: `curl by ${version}`,
    call: async (place, call) =>
      outcome(call, await run([...flagsOf(place, call, version), urlOf(place, call)], call)),
    close: () => {},
  };
}

const isStream = ({ method }: Call) => method.methodKind !== "unary";

function flagsOf({ socketPath, ca }: Place, call: Call, version: string): readonly string[] {
  const http2 = ca === undefined ? "--http2-prior-knowledge" : "--http2";
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
    ...["--silent", "--show-error", "--include", "--max-time", "20", "--data-binary", "@-"],
    version === "HTTP/1" ? "--http1.1" : http2,
    ...(socketPath === undefined ? [] : ["--unix-socket", socketPath]),
    ...(ca === undefined ? [] : ["--cacert", ca]),
    ...headers.flatMap((header) => ["--header", header]),
  ];
}

const urlOf = ({ url }: Place, { path }: Call) => new URL(path, url).href;

async function run(args: readonly string[], call: Call): Promise<Buffer> {
  const child = spawn("curl", args, { stdio: ["pipe", "pipe", "pipe"], env: { PATH: process.env.PATH } });
  const bodies = call.json?.map((json) => Buffer.from(json)) ?? call.bytes;
  // curl stops reading stdin when it has its answer.
  child.stdin.on("error", () => {});
  child.stdin.end(isStream(call) ? Buffer.concat(bodies.map(framed)) : bodies[0]);
  const [out, errors] = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  if (out.length === 0) throw new Error(`curl: ${errors.toString()}`);
  return out;
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
