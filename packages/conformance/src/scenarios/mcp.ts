import { serveCalc } from "../agent-driver/calc-server.ts";
import { calls, says } from "../scripted-api/script.ts";
import { elicitations } from "./elicitation.ts";
import { allowEverything, INIT } from "./parts.ts";
import type { Scenario, Theme } from "./scenario.ts";

const INITIALIZE = { subtype: "initialize", sdkMcpServers: ["calc"] };
const SLOW_MS = 3000;

const LIST_CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };

const SERVER_REQUESTS = [
  { subtype: "mcp_call", tool: "mcp__calc__add", arguments: { a: 2, b: 3 } },
  { subtype: "mcp_read_resource", serverName: "calc", uri: "ui://x" },
  { subtype: "mcp_reconnect", serverName: "nobody" },
  { subtype: "mcp_toggle", serverName: "calc", enabled: false },
  { subtype: "mcp_status" },
  { subtype: "mcp_toggle", serverName: "calc", enabled: true },
  { subtype: "set_mcp_permission_mode_override", serverName: "calc", mode: "default" },
  { subtype: "set_mcp_permission_mode_override", serverName: "calc", mode: null },
  { subtype: "mcp_message", server_name: "calc", message: LIST_CHANGED },
  { subtype: "mcp_set_servers", servers: {} },
];

/** A turn in which the model calls the tools of a server in the host. */
const addTwoNumbers: Scenario["flow"] = async ({ agent }) => {
  serveCalc(agent);
  allowEverything(agent);
  await agent.ask(INITIALIZE);
  await agent.turn("add 2 and 3");
  return undefined;
};

/** MCP servers in the host. */
export const mcp: Theme = {
  name: "mcp",
  scenarios: [
    {
      name: "sdk-mcp-server",
      about:
        "a server in the host completes the handshake, and both a successful and a failing tool call return results",
      args: ["--mcp-config", JSON.stringify({ mcpServers: { calc: { type: "sdk", name: "calc" } } })],
      steps: [
        calls("mcp__calc__add", { a: 2, b: 3 }, "toolu_m1"),
        calls("mcp__calc__fail", { why: "test" }, "toolu_m2"),
        says("Sum is 5."),
      ],
      flow: addTwoNumbers,
    },
    {
      name: "sdk-mcp-server-no-config",
      about: "a server in the host needs no configuration beyond its name in initialize",
      steps: [calls("mcp__calc__add", { a: 2, b: 3 }, "toolu_m1"), says("Sum is 5.")],
      flow: addTwoNumbers,
    },
    {
      name: "sdk-mcp-slow-handshake",
      about: "initialize does not wait for a slow server, but the first turn does",
      steps: [says("answered")],
      flow: async ({ agent }) => {
        serveCalc(agent, { slowStartMs: SLOW_MS });
        const start = agent.now();
        await agent.ask(INITIALIZE);
        const initializeWaited = agent.now() - start >= SLOW_MS - 100;
        agent.prompt("hi");
        await agent.until(INIT);
        const firstTurnWaited = agent.now() - start >= SLOW_MS - 10;
        await agent.result();
        return { initializeWaited, firstTurnWaited };
      },
      expect: { facts: { initializeWaited: false, firstTurnWaited: true } },
    },
    {
      name: "sdk-mcp-no-answer-to-notification",
      about: "a server that does not answer for a minute is reported as failed",
      steps: [calls("mcp__calc__add", { a: 1, b: 1 }, "toolu_m1"), says("answered")],
      flow: async ({ agent }) => {
        serveCalc(agent, { ignoresNotifications: true });
        allowEverything(agent);
        await agent.ask(INITIALIZE);
        agent.prompt("hi");
        await agent.until(INIT, { withinMs: 110_000 });
        await agent.result();
      },
      limitMs: 120_000,
      slow: true,
    },
    {
      name: "mcp-requests",
      about:
        "a server in the host can be disabled, enabled, listed and replaced; requests that the host can carry out itself are refused",
      steps: [says("one"), says("two")],
      flow: async ({ agent }) => {
        serveCalc(agent);
        await agent.ask(INITIALIZE);
        await agent.turn("a");
        for (const request of SERVER_REQUESTS) await agent.ask(request);
        await agent.turn("b");
      },
    },
    ...elicitations,
  ],
};
