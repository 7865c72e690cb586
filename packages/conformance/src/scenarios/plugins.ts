import { says } from "../scripted-api/script.ts";
import { wrote } from "./parts.ts";
import type { Theme } from "./scenario.ts";

/** A marketplace in a folder of the project, with one plugin that has one command. */
const SHOP = {
  "shop/.claude-plugin/marketplace.json": JSON.stringify({
    name: "shop",
    owner: { name: "Ada" },
    plugins: [{ name: "hello", source: "./hello", description: "Says hello" }],
  }),
  "shop/hello/.claude-plugin/plugin.json": JSON.stringify({ name: "hello", version: "1.0.0" }),
  "shop/hello/commands/hi.md": "Say hi\n",
};

const SETTINGS = {
  extraKnownMarketplaces: { shop: { source: { source: "directory", path: "./shop" } } },
  enabledPlugins: { "hello@shop": true },
};

/** Extensions of an agent. */
export const plugins: Theme = {
  name: "plugins",
  scenarios: [
    {
      name: "plugin-install",
      about:
        "plugins named in the settings are installed before the first turn, and the installation is reported",
      env: { CLAUDE_CODE_SYNC_PLUGIN_INSTALL: "1" },
      files: { ...SHOP, ".claude/settings.json": JSON.stringify(SETTINGS) },
      steps: [says("one")],
      flow: async ({ agent }) => {
        await agent.ask({ subtype: "initialize" });
        await agent.turn("a");
        const told = (status: string) => wrote(agent, { type: "system", subtype: "plugin_install", status });
        return { installationTold: told("started") && told("completed") };
      },
      expect: { facts: { installationTold: true } },
    },
  ],
};
