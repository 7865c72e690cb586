import { readFileSync } from "node:fs";
import type { Message } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { type Call, type ForeignClient, fromBytes, type Outcome, type Place } from "./call.ts";

const same = (bytes: Buffer) => bytes;

/** gRPC for Node. */
export function grpcJs(): ForeignClient {
  const clients = new Map<string, Client>();
  const clientTo = ({ url, socketPath, ca }: Place, host: string | undefined) => {
    const target = socketPath === undefined ? url.host : `unix:${socketPath}`;
    const key = `${target} ${host}`;
    const client =
      clients.get(key) ??
      new Client(
        target,
        ca === undefined ? credentials.createInsecure() : credentials.createSsl(readFileSync(ca)),
        {
          ...(host !== undefined && { "grpc.default_authority": host }),
          "grpc.enable_http_proxy": 0,
        },
      );
    clients.set(key, client);
    return client;
  };
  return {
    name: "grpc-js",
    call: (place, call) => play(clientTo(place, call.host), call),
    close: () => {
      for (const client of clients.values()) client.close();
    },
  };
}

function play(client: Client, call: Call): Promise<Outcome> {
  const { method, path, bytes, token, timeoutMs } = call;
  const metadata = new Metadata();
  if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
  const how = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
  const [first = new Uint8Array()] = bytes;
  return new Promise((resolve) => {
    const answers: Message[] = [];
    const take = (answer: Buffer) => void answers.push(fromBytes(call, answer));
    const ended = (error?: ServiceError | null) =>
      resolve({ code: error?.code ?? 0, text: error?.details ?? "", answers });
    if (method.methodKind === "unary") {
      client.makeUnaryRequest(path, same, same, Buffer.from(first), metadata, how, (error, answer) => {
        if (answer) take(answer);
        ended(error);
      });
      return;
    }
    if (method.methodKind === "server_streaming") {
      const stream = client.makeServerStreamRequest(path, same, same, Buffer.from(first), metadata, how);
      stream
        .on("data", take)
        .on("error", ended)
        .on("end", () => ended());
      return;
    }
    const stream = client.makeBidiStreamRequest(path, same, same, metadata, how);
    stream
      .on("data", take)
      .on("error", ended)
      .on("end", () => ended());
    for (const one of bytes) stream.write(Buffer.from(one));
    stream.end();
  });
}
