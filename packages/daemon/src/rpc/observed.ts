import { randomUUID } from "node:crypto";
import type { Log } from "@agentwire/protocol/support";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { IDENTITY } from "../access/identity.ts";
import type { Presence } from "../health/presence.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { CLIENT_HEADER, clientName } from "./caller.ts";
import { atEnd } from "./stream-end.ts";
import { REACHED_SERVICE } from "./undecodable.ts";

const HEADER = "x-request-id";
/** The form of a request id that a client may choose. */
const WELL_FORMED = /^[\w.:-]{1,100}$/;

/** Counts and times every request, records its client as present, and gives it an id for the log and the client. */
export function observed(metrics: Metrics, log: Log, presence: Presence): Interceptor {
  return (next) => async (request) => {
    const began = performance.now();
    const { header, contextValues } = request;
    presence.heard(clientName(header.get(CLIENT_HEADER) ?? "", contextValues.get(IDENTITY)));
    request.contextValues.set(REACHED_SERVICE, true);
    const given = request.header.get(HEADER) ?? "";
    const id = WELL_FORMED.test(given) ? given : randomUUID();
    const method = `${request.method.parent.typeName}/${request.method.name}`;
    request.header.set(HEADER, id);
    const ended = (code: string) => {
      const seconds = (performance.now() - began) / 1000;
      metrics.rpcs.observe(seconds, method, code);
      log.debug("request ended", { request_id: id, method, code, ms: Math.round(seconds * 1000) });
    };
    try {
      const response = await next(request);
      response.header.set(HEADER, id);
      if (response.stream) return { ...response, message: watched(response.message, ended) };
      ended("ok");
      return response;
    } catch (error) {
      if (error instanceof ConnectError) error.metadata.set(HEADER, id);
      ended(codeOf(error));
      throw error;
    }
  };
}

/** The id of a request. */
export const requestIdOf = (header: Headers): string => header.get(HEADER) ?? "";

const watched = <T>(messages: AsyncIterable<T>, ended: (code: string) => void) =>
  atEnd(messages, {
    done: () => ended("ok"),
    failed: (error) => {
      ended(codeOf(error));
      return error;
    },
    left: () => ended("canceled"),
  });

/** The code's name as in the Connect specification, such as `not_found`. */
const codeOf = (error: unknown) =>
  Code[error instanceof ConnectError ? error.code : Code.Internal]
    .replace(/(?<=[a-z])[A-Z]/g, "_$&")
    .toLowerCase();
