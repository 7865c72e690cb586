import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { says } from "../scripted-api/script.ts";
import type { Scenario } from "./scenario.ts";

/** Requests that only the vendor's own hosts are known to send. */
export const appRequests: readonly Scenario[] = [
  {
    name: "app-requests",
    about:
      "a host can read the status, plan and text of a session and rate a message; before it can move to a folder, it has to trust it",
    files: { "sub/x.txt": "x" },
    steps: [says("one"), says("two")],
    flow: async ({ agent, project }) => {
      await agent.ask({ subtype: "initialize" });
      await agent.turn("a");
      for (const subtype of ["get_status", "get_plan", "export_conversation"]) await agent.ask({ subtype });
      await agent.ask({
        subtype: "message_rated",
        messageUuid: randomUUID(),
        sentiment: "positive",
        surface: "assistant_text",
        cleared: false,
      });
      await agent.ask({ subtype: "set_cwd", path: join(project.cwd, "nope") });
      // A successful move is left out: the official agent plays an extra turn for it, with an empty result.
      await agent.ask({ subtype: "set_cwd", path: join(project.cwd, "sub") });
      await agent.turn("b");
    },
  },
  {
    name: "session-title",
    about: "the model generates a title for the session on request",
    steps: [says("one")],
    flow: async ({ agent }) => {
      await agent.ask({ subtype: "initialize" });
      await agent.turn("a");
      await agent.ask({ subtype: "generate_session_title", description: "Count the files here" });
    },
  },
  {
    name: "mcp-sign-in",
    about: "signing in to or out of an unknown MCP server is refused with an error that names it",
    steps: [says("one")],
    flow: async ({ agent }) => {
      await agent.ask({ subtype: "initialize" });
      await agent.turn("a");
      await agent.ask({ subtype: "mcp_authenticate", serverName: "nope" });
      await agent.ask({ subtype: "mcp_clear_auth", serverName: "nope" });
    },
  },
];
