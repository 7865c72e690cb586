import type { IncomingHttpHeaders } from "node:http";
import { type Identity, identify, OWNER } from "../access/identity.ts";
import { isScope } from "../access/scope.ts";
import type { Admit } from "../http/guard.ts";

/** The header that carries the client's identity as checked by the forwarding node: name, scope and credential. */
const FOR = "agentwire-for";
/** The client headers that are passed on. */
const KEPT = ["agentwire-client", "traceparent", "tracestate", "x-request-id"];

/** The headers of a call that is forwarded to another node. */
export function asHeader(given: Headers, { name, scope, credential }: Identity): Headers {
  const header = new Headers({ [FOR]: encodeURIComponent(JSON.stringify([name, scope, credential])) });
  for (const kept of KEPT) {
    const value = given.get(kept);
    if (value !== null) header.set(kept, value);
  }
  return header;
}

/** Whether a call was forwarded by another node; such a call must not be forwarded again. */
export const isForwarded = (header: Headers): boolean => header.has(FOR);

/** Admits requests at the port for other nodes: TLS has authenticated the node, and the node its client. */
export const admitPeer: Admit = (request) => {
  const identity = identityIn(request.headers);
  if (!identity) return { status: 403, reason: `FORBIDDEN: the header ${FOR} is missing` };
  identify(request, identity);
  return undefined;
};

function identityIn(headers: IncomingHttpHeaders): Identity | undefined {
  try {
    const [name, scope, credential] = JSON.parse(decodeURIComponent(String(headers[FOR]))) as unknown[];
    if (typeof name !== "string" || !isScope(scope) || typeof credential !== "string") return undefined;
    // Rates and open requests are counted at the node that the client is connected to.
    return { ...OWNER, name, scope, credential };
  } catch {
    return undefined;
  }
}
