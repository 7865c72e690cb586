/** HTTP for clients of model providers: quick to load, and bounded. */

export { createNodeFetch, type NodeFetch } from "../http/node-fetch.ts";
export { PlainHeaders } from "../http/plain-headers.ts";
export { proxyFor } from "../http/proxy.ts";
