import type { TLSSocket } from "node:tls";
import type { Handler } from "./front.ts";

/** Whether a request came over TLS. */
export const isSecure = ({ socket }: Parameters<Handler>[0]): boolean =>
  (socket as Partial<TLSSocket>).encrypted === true;
