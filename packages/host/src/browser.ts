import { refusedHere } from "./cloud-refusal.ts";

export { createSdkMcpServer, tool } from "./hosted/sdk-mcp-server.ts";

const INSTEAD = "in a browser, talk to the daemon (docs/guides/daemon.md), or use the official package";

/** Always throws: in the official package it joins a session of Anthropic's service, or one behind any WebSocket. */
export const query: () => never = refusedHere("query() of ./browser", INSTEAD);
export const getCcrEvent: () => never = refusedHere("getCcrEvent()", INSTEAD);
export const getSseDropCounts: () => never = refusedHere("getSseDropCounts()", INSTEAD);
export const getSseLastSequenceNum: () => never = refusedHere("getSseLastSequenceNum()", INSTEAD);
export const resumeSseStream: () => never = refusedHere("resumeSseStream()", INSTEAD);
export const suspendSseStream: () => never = refusedHere("suspendSseStream()", INSTEAD);
