import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { at, listAt, textAt } from "../../json-path.ts";
import { type AcpStage, type AcpTheme, capability, must, mustBe, NO_METHOD } from "../agent-scenario.ts";
import { textOf } from "../scripted-client.ts";

const REPLIES = { "say-hello": { text: "Hello there." }, "go-on": { text: "Going on." } };

/** An agent refuses an unsupported method with the error code for unknown methods. */
async function isOffered(
  { client }: AcpStage,
  offered: unknown,
  method: string,
  params: JsonObject,
): Promise<boolean> {
  if (offered !== undefined) return true;
  mustBe(
    `the code of ${method}, which is not offered,`,
    (await client.refused(method, params)).code,
    NO_METHOD,
  );
  return false;
}

/** Opens a session in another process and continues it; returns the updates that repeat its history. */
async function takeUp({ client, another, api, cwd }: AcpStage, method: string, sessionId: string) {
  await client.close();
  const later = await another();
  await later.request(method, { sessionId, cwd, mcpServers: [] });
  const told = later.updates.map(({ update }) => update);
  mustBe("the reply", (await later.prompt(sessionId, "go-on")).text.trim(), "Going on.");
  must(JSON.stringify(api.turns.at(-1)).includes("Hello there."), "the model does not get the first turn");
  return told;
}

/** Sessions that outlive a process, and the options of a session. */
export const sessions: AcpTheme = {
  name: "sessions",
  scenarios: [
    {
      name: "load",
      about: "another process can load an earlier session and sends its history first",
      replies: REPLIES,
      async play(stage) {
        const greeting = await stage.greet();
        const { client, cwd } = stage;
        const params = { sessionId: "unknown", cwd, mcpServers: [] };
        if (!(await isOffered(stage, capability(greeting, "loadSession"), "session/load", params))) return;
        const sessionId = await stage.begin();
        await client.prompt(sessionId, "say-hello");
        const told = await takeUp(stage, "session/load", sessionId);
        must(textOf(told).includes("Hello there."), "the history is not sent again");
      },
    },
    {
      name: "resume",
      about: "another process can resume an earlier session and does not send its history",
      replies: REPLIES,
      async play(stage) {
        const offered = capability(await stage.greet(), "sessionCapabilities", "resume");
        if (offered === undefined) return;
        const sessionId = await stage.begin();
        await stage.client.prompt(sessionId, "say-hello");
        mustBe("the history sent again", textOf(await takeUp(stage, "session/resume", sessionId)), "");
      },
    },
    {
      name: "load-unknown",
      about: "a session that does not exist can't be loaded",
      async play({ client, greet, cwd }) {
        await greet();
        await client.refused("session/load", {
          sessionId: "00000000-0000-4000-8000-000000000000",
          cwd,
          mcpServers: [],
        });
      },
    },
    {
      name: "list",
      about: "sessions are listed with their folders, if the agent supports listing",
      replies: REPLIES,
      async play({ client, greet, begin, cwd }) {
        if (capability(await greet(), "sessionCapabilities", "list") === undefined) return;
        const sessionId = await begin();
        await client.prompt(sessionId, "say-hello");
        const listed = listAt(await client.request("session/list", {}), "sessions");
        const found = listed.find((one) => at(one, "sessionId") === sessionId);
        mustBe("the folder of the session", at(found, "cwd"), cwd);
      },
    },
    {
      name: "close",
      about: "a closed session rejects prompts, if the agent supports closing",
      replies: REPLIES,
      async play({ client, greet, begin }) {
        if (capability(await greet(), "sessionCapabilities", "close") === undefined) return;
        const sessionId = await begin();
        await client.request("session/close", { sessionId });
        await client.refused("session/prompt", { sessionId, prompt: [{ type: "text", text: "say-hello" }] });
      },
    },
    {
      name: "modes",
      about: "every available mode can be set",
      async play({ client, greet, cwd }) {
        await greet();
        const { sessionId, modes } = await client.request("session/new", { cwd, mcpServers: [] });
        const ids = listAt(modes, "availableModes").map((mode) => textAt(mode, "id"));
        for (const modeId of ids) await client.request("session/set_mode", { sessionId, modeId });
      },
    },
    {
      name: "config-options",
      about: "the answer to a changed option contains the new value",
      async play({ client, greet, cwd }) {
        await greet();
        const opened = await client.request("session/new", { cwd, mcpServers: [] });
        const { sessionId } = opened;
        for (const option of listAt(opened, "configOptions")) {
          if (at(option, "type") !== "select") continue;
          const values = listAt(option, "options").flatMap((one) =>
            isJsonObject(one) && Array.isArray(one.options) ? one.options : [one],
          );
          const configId = at(option, "id");
          const value = at(values.at(-1), "value");
          const answer = await client.request("session/set_config_option", { sessionId, configId, value });
          const now = listAt(answer, "configOptions").find((one) => at(one, "id") === configId);
          mustBe(`${configId} after it was set`, at(now, "currentValue"), value);
        }
      },
    },
  ],
};
