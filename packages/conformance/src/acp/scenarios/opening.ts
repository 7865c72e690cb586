import type { AcpTheme } from "../agent-scenario.ts";
import { must, mustBe, NO_METHOD } from "../agent-scenario.ts";

/** The start of a connection, and what no agent supports. */
export const opening: AcpTheme = {
  name: "opening",
  scenarios: [
    {
      name: "initialize",
      about: "the agent accepts the requested protocol version",
      async play({ greet }) {
        mustBe("protocolVersion", (await greet()).protocolVersion, 1);
      },
    },
    {
      name: "later-version",
      about: "a client that requests a later version is offered the version that the agent speaks",
      async play({ client }) {
        const { protocolVersion } = await client.request("initialize", {
          protocolVersion: 60_000,
          clientCapabilities: {},
        });
        must(
          typeof protocolVersion === "number" && protocolVersion < 60_000,
          `it claims to speak version ${protocolVersion}`,
        );
      },
    },
    {
      name: "unknown-method",
      about: "an unknown method is refused with the error code for it, and the connection continues",
      isRude: true,
      async play({ client, greet, begin }) {
        await greet();
        mustBe("the error's code", (await client.refused("session/no_such_method")).code, NO_METHOD);
        mustBe("the error's code", (await client.refused("_example/unknown")).code, NO_METHOD);
        await begin();
      },
    },
    {
      name: "unknown-notification",
      about: "an unknown notification is ignored",
      async play({ client, greet, begin }) {
        await greet();
        client.notify("_example/unknown", {});
        await begin();
      },
    },
    {
      name: "not-json",
      about: "a line that is not JSON does not end the connection",
      async play({ client, begin }) {
        client.write("this is not JSON\n");
        await begin();
      },
    },
    {
      name: "two-sessions",
      about: "each session has a unique id",
      async play({ client, begin, cwd }) {
        const first = await begin();
        const second = await client.request("session/new", { cwd, mcpServers: [] });
        must(second.sessionId !== first, "both sessions have the same id");
      },
    },
    {
      name: "unknown-session",
      about: "a prompt for a session that does not exist is refused",
      async play({ client, begin }) {
        await begin();
        await client.refused("session/prompt", {
          sessionId: "no-such-session",
          prompt: [{ type: "text", text: "hello" }],
        });
      },
    },
    {
      name: "end-of-input",
      about: "the agent exits when its client closes the connection",
      async play({ client, begin }) {
        await begin();
        await client.close();
      },
    },
  ],
};
