import { type AcpTheme, capability, must, mustBe } from "../agent-scenario.ts";

const HELLO = { "say-hello": { text: "Hello there.", chunkSize: 4 } };
/** An image of one pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Prompts and replies. */
export const talk: AcpTheme = {
  name: "talk",
  scenarios: [
    {
      name: "prompt",
      about: "the reply is sent in chunks, and the turn ends with end_turn",
      replies: HELLO,
      async play({ client, begin }) {
        const { stopReason, text } = await client.prompt(await begin(), "say-hello");
        mustBe("the reply", text.trim(), "Hello there.");
        mustBe("stopReason", stopReason, "end_turn");
      },
    },
    {
      name: "two-turns",
      about: "a second prompt continues the conversation",
      replies: { ...HELLO, "go-on": { text: "Going on." } },
      async play({ client, begin, api }) {
        const session = await begin();
        await client.prompt(session, "say-hello");
        mustBe("the reply", (await client.prompt(session, "go-on")).text.trim(), "Going on.");
        must(
          JSON.stringify(api.turns.at(-1)).includes("Hello there."),
          "the model does not get the first turn",
        );
      },
    },
    {
      name: "sessions-side-by-side",
      about: "two sessions run at once, and each update names its session",
      replies: { ...HELLO, "go-on": { text: "Going on." } },
      async play({ client, begin, cwd }) {
        const first = await begin();
        const { sessionId: second } = await client.request("session/new", { cwd, mcpServers: [] });
        const [one, two] = await Promise.all([
          client.prompt(first, "say-hello"),
          client.prompt(second, "go-on"),
        ]);
        mustBe("the reply of the first", one.text.trim(), "Hello there.");
        mustBe("the reply of the second", two.text.trim(), "Going on.");
      },
    },
    {
      name: "resource-link",
      about: "a link to a file is accepted and passed to the model",
      replies: HELLO,
      async play({ client, begin, api }) {
        const link = {
          type: "resource_link",
          uri: "file:///project/linked-file.txt",
          name: "linked-file.txt",
        };
        const { stopReason } = await client.prompt(await begin(), [
          { type: "text", text: "say-hello" },
          link,
        ]);
        mustBe("stopReason", stopReason, "end_turn");
        must(JSON.stringify(api.turns).includes("linked-file.txt"), "the model does not get the link");
      },
    },
    {
      name: "embedded-resource",
      about: "the text of an embedded resource reaches the model, if the agent supports resources",
      replies: HELLO,
      async play({ client, greet, begin, api }) {
        if (capability(await greet(), "promptCapabilities", "embeddedContext") === undefined) return;
        const resource = { uri: "file:///project/a.txt", mimeType: "text/plain", text: "embedded-words" };
        await client.prompt(await begin(), [
          { type: "text", text: "say-hello" },
          { type: "resource", resource },
        ]);
        must(JSON.stringify(api.turns).includes("embedded-words"), "the model does not get its text");
      },
    },
    {
      name: "image",
      about: "an image is accepted, if the agent supports images",
      replies: HELLO,
      async play({ client, greet, begin }) {
        if (capability(await greet(), "promptCapabilities", "image") === undefined) return;
        const image = { type: "image", mimeType: "image/png", data: PIXEL };
        const { stopReason } = await client.prompt(await begin(), [
          { type: "text", text: "say-hello" },
          image,
        ]);
        mustBe("stopReason", stopReason, "end_turn");
      },
    },
  ],
};
