/** HTTP for clients of model providers: fast to load and bounded in memory. */

export { createNodeFetch, isFramed, type NodeFetch } from "../http/node-fetch.ts";
export { PlainHeaders } from "../http/plain-headers.ts";
export { proxyFor } from "../http/proxy.ts";
export { readServerEvents, type ServerEvent } from "../http/sse.ts";
