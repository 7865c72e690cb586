import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Health,
  ServerReflection,
  ServerReflectionAlpha,
  ServingStatus,
  SessionService,
  SessionStatus,
} from "@agentwire/api";
import { silentLog } from "@agentwire/protocol/support";
import { create, type DescMethod, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Client, credentials, type ServiceError, status } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { type RunningDaemon, startDaemon } from "../../src/start.ts";

let folder: string;
let running: RunningDaemon;
let client: Client;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-grpc-"));
  const env = { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: join(folder, "state") };
  running = await startDaemon(defaultConfig(env, folder), silentLog);
  client = new Client(`unix:${running.addresses[0]}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await running.stop();
  rmSync(folder, { recursive: true });
});

const pathOf = (method: DescMethod) => `/${method.parent.typeName}/${method.name}`;
const encoder = (method: DescMethod) => (value: unknown) =>
  Buffer.from(toBinary(method.input, create(method.input, value as MessageInitShape<typeof method.input>)));
const decoder = (method: DescMethod) => (bytes: Buffer) => fromBinary(method.output, bytes);

/** Calls a method as a program in any language would. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what each test looks at
function call(method: DescMethod, request: object): Promise<any> {
  return new Promise((resolve, reject) =>
    client.makeUnaryRequest(pathOf(method), encoder(method), decoder(method), request, (error, answer) =>
      error ? reject(error) : resolve(answer),
    ),
  );
}

test("a native client creates a session, sends a prompt and watches the turn to its end", async () => {
  const { createSession, sendPrompt, watch } = SessionService.method;
  const { session } = await call(createSession, { cwd: folder });
  const sessionId = session.id;
  await call(sendPrompt, { sessionId, text: "hello" });
  const stream = client.makeServerStreamRequest(pathOf(watch), encoder(watch), decoder(watch), { sessionId });
  const seen: string[] = [];
  for await (const { events } of stream) {
    for (const { body } of events)
      seen.push(body.case === "statusChange" ? `status ${body.value.status}` : body.case);
    if (seen.includes(`status ${SessionStatus.IDLE}`)) break;
  }
  expect(seen).toContain("text");
  expect(seen.filter((name) => name === "turnComplete")).toHaveLength(1);
}, 30_000);

test("a native client converses on one stream", async () => {
  const { createSession, converse } = SessionService.method;
  const { session } = await call(createSession, { cwd: folder });
  const sessionId = session.id;
  const stream = client.makeBidiStreamRequest(pathOf(converse), encoder(converse), decoder(converse));
  stream.write({ requestId: "1", command: { case: "watch", value: { sessionId } } });
  stream.write({ requestId: "2", command: { case: "sendPrompt", value: { sessionId, text: "hello" } } });
  stream.write({ requestId: "3", command: { case: "interrupt", value: { sessionId: "none" } } });
  const done = new Map<string, string>();
  let isOver = false;
  for await (const { message } of stream) {
    if (message.case === "done") done.set(message.value.requestId, message.value.errorMessage);
    else
      isOver ||= message.value.events.some(
        ({ body }: { body: { case: string } }) => body.case === "turnComplete",
      );
    if (isOver && done.size === 2) stream.end();
  }
  expect(done.get("2")).toBe("");
  expect(done.get("3")).toContain("SESSION_NOT_FOUND");
}, 30_000);

test("a failure has gRPC's own code, in an answer and in a stream", async () => {
  const { getSession, watch } = SessionService.method;
  await expect(call(getSession, { sessionId: "none" })).rejects.toMatchObject({ code: status.NOT_FOUND });
  const stream = client.makeServerStreamRequest(pathOf(watch), encoder(watch), decoder(watch), {
    sessionId: "none",
  });
  const failed = new Promise<ServiceError>((resolve) => stream.on("error", resolve));
  stream.resume();
  expect(await failed).toMatchObject({
    code: status.NOT_FOUND,
    details: expect.stringContaining("SESSION_NOT_FOUND"),
  });
});

test("the standard health check answers", async () => {
  expect(await call(Health.method.check, {})).toMatchObject({ status: ServingStatus.SERVING });
  await expect(call(Health.method.check, { service: "other.Service" })).rejects.toMatchObject({
    code: status.NOT_FOUND,
  });
});

test.each([ServerReflection, ServerReflectionAlpha])(
  "reflection describes everything a client without our files needs: $typeName",
  async ({ method }) => {
    const { serverReflectionInfo: info } = method;
    const stream = client.makeBidiStreamRequest(pathOf(info), encoder(info), decoder(info));
    const ask = async (messageRequest: object) => {
      const answer = new Promise<{ messageResponse: { value: Record<string, unknown[]> } }>((resolve) =>
        stream.once("data", resolve),
      );
      stream.write({ messageRequest });
      return (await answer).messageResponse.value;
    };
    const { service = [] } = await ask({ case: "listServices", value: "" });
    expect(service).toContainEqual(expect.objectContaining({ name: SessionService.typeName }));
    const { fileDescriptorProto = [] } = await ask({
      case: "fileContainingSymbol",
      value: SessionService.typeName,
    });
    const files = fileDescriptorProto.map(
      (bytes) => fromBinary(FileDescriptorProtoSchema, bytes as Uint8Array).name,
    );
    expect(files).toContain("agentwire/v1/session.proto");
    expect(files).toContain("google/protobuf/timestamp.proto");
    expect(await ask({ case: "fileByFilename", value: "none.proto" })).toMatchObject({ errorCode: 5 });
    const nested = "grpc.health.v1.HealthCheckResponse.ServingStatus";
    expect(await ask({ case: "fileContainingSymbol", value: nested })).toHaveProperty("fileDescriptorProto");
    const baseTypeName = "agentwire.v1.Event";
    expect(await ask({ case: "allExtensionNumbersOfType", value: baseTypeName })).toMatchObject({
      baseTypeName,
      extensionNumber: [],
    });
    stream.end();
    await once(stream.resume(), "end");
  },
);
