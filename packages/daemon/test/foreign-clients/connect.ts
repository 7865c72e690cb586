import { readFileSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { type DescMethodStreaming, type DescMethodUnary, fromBinary, type Message } from "@bufbuild/protobuf";
import { ConnectError, type Transport } from "@connectrpc/connect";
import {
  type ConnectTransportOptions,
  createConnectTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import type { Call, ForeignClient, Outcome, Place } from "./call.ts";

/** Connect's own client, by its protocol or by gRPC-Web. */
export function connectClient(protocol: "Connect" | "gRPC-Web"): ForeignClient {
  const create = protocol === "Connect" ? createConnectTransport : createGrpcWebTransport;
  const open = new Map<string, { readonly transport: Transport; readonly manager: Http2SessionManager }>();
  const transportTo = ({ url, socketPath, ca }: Place) => {
    const known = open.get(url.href);
    if (known) return known.transport;
    const manager = new Http2SessionManager(
      url.origin,
      {},
      {
        ...(socketPath !== undefined && { createConnection: () => connectSocket(socketPath) }),
        ...(ca !== undefined && { ca: readFileSync(ca) }),
      },
    );
    const options: ConnectTransportOptions = {
      baseUrl: url.origin,
      httpVersion: "2",
      sessionManager: manager,
    };
    const transport = create(options);
    open.set(url.href, { transport, manager });
    return transport;
  };
  return {
    name: `Connect's client by ${protocol}`,
    call: (place, call) => play(transportTo(place), call),
    close: () => {
      for (const { manager } of open.values()) manager.abort();
    },
  };
}

async function play(transport: Transport, { method, path, bytes, token, timeoutMs }: Call): Promise<Outcome> {
  const header: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const [, typeName = "", name = ""] = path.split("/");
  // As a client built from another contract would send it.
  const asked = { ...method, name, parent: { ...method.parent, typeName } };
  const messages = bytes.map((one) => fromBinary(method.input, one));
  const answers: Message[] = [];
  try {
    if (asked.methodKind === "unary") {
      const [message = {}] = messages;
      answers.push(
        (await transport.unary(asked as DescMethodUnary, undefined, timeoutMs, header, message)).message,
      );
    } else {
      const all = (async function* () {
        yield* messages;
      })();
      const { message } = await transport.stream(
        asked as DescMethodStreaming,
        undefined,
        timeoutMs,
        header,
        all,
      );
      for await (const answer of message) answers.push(answer);
    }
    return { code: 0, text: "", answers };
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error);
    return { code, text: rawMessage, answers };
  }
}
