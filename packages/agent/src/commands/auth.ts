import { join } from "node:path";
import { settingsOf, withSettingsEnv } from "../session/session-settings.ts";
import { type Command, choose, readOptions } from "./command.ts";
import { refused } from "./refused.ts";

const USAGE = `agentwire-agent auth status [--json | --text]   show how requests to the model are authenticated\n`;

/** `auth status`: how requests are authenticated; exit code 1 if they are not. */
const status: Command = async ({ config, args, print }) => {
  const { values } = readOptions(args, { json: { type: "boolean" }, text: { type: "boolean" } });
  const { credentials, configDir } = withSettingsEnv(config, await settingsOf(config));
  const { apiKey, authToken, baseUrl } = credentials;
  const loggedIn = Boolean(apiKey || authToken);
  // As in a request, a key takes precedence over a token.
  const method = apiKey ? "api_key" : authToken ? "oauth_token" : "none";
  if (values.text) {
    if (apiKey) print("API key: ANTHROPIC_API_KEY\n");
    else if (authToken) print("Auth token: ANTHROPIC_AUTH_TOKEN\n");
    else
      print(
        "Not logged in. Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN; the offline demo answers until then.\n",
      );
    if (baseUrl) print(`Anthropic base URL: ${baseUrl}\n`);
  } else {
    const facts = {
      loggedIn,
      authMethod: method,
      apiProvider: "firstParty",
      analyticsDisabled: true,
      projectsDirectory: join(configDir, "projects"),
      configDirectory: configDir,
      loginExpiresAt: null,
      ...(method === "api_key" && { apiKeySource: "ANTHROPIC_API_KEY" }),
    };
    print(`${JSON.stringify(facts, null, 2)}\n`);
  }
  return loggedIn ? 0 : 1;
};

const INSTEAD = "this agent has no account; set or unset ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN";

/** `auth`. */
export const auth = choose(
  "auth",
  new Map([
    ["status", status],
    ["login", refused("auth login", INSTEAD)],
    ["logout", refused("auth logout", INSTEAD)],
  ]),
  USAGE,
);
