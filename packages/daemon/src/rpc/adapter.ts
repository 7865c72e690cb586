import { type ConnectRouter, type ConnectRouterOptions, createConnectRouter } from "@connectrpc/connect";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import type { Handler } from "../http/front.ts";
import { pathOf } from "../http/path-of.ts";
import { refuse } from "../http/refusal.ts";
import { contextValues } from "./cut-off.ts";

/** Answers RPCs by whatever protocol they come; a client that goes away in the middle is no failure. */
export function connectHandler(
  routes: (router: ConnectRouter) => void,
  options: ConnectRouterOptions,
  onFailure: (error: unknown) => void,
): Handler {
  const router = createConnectRouter(options);
  routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return (request, response) => {
    const handler = handlers.get(pathOf(request));
    if (!handler) {
      refuse(request, response, { status: 404, reason: `there is nothing at ${pathOf(request)}` });
      return;
    }
    const asked = universalRequestFromNodeRequest(request, response, undefined, contextValues(request));
    handler(asked)
      .then((answer) => universalResponseToNodeResponse(answer, response))
      .catch((error: unknown) => {
        if (!asked.signal.aborted && !response.destroyed) onFailure(error);
      });
  };
}
