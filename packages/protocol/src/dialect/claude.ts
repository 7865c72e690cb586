import type { JsonObject } from "../json.ts";
import { readMessage } from "../lines/decode.ts";
import { agentMessages, hostMessages } from "../message.ts";
import type { Dialect } from "./dialect.ts";
import { withNamedTools } from "./tool-objects.ts";

/**
 * The current official wire. It is the canonical form, so there is almost nothing to translate; similar
 * agents may describe their tools where the official one only names them.
 */
export const claude: Dialect = {
  name: "claude",
  versions: { min: "2.0.0", max: "2.1.x" },
  unknown: "pass_on",
  forHost: () => ({
    decode: (value, sink) => readMessage(agentMessages, isInit(value) ? withNamedTools(value) : value, sink),
    encode: (message) => [message],
  }),
  forAgent: () => ({
    decode: (value, sink) => readMessage(hostMessages, value, sink),
    encode: (message) => [message],
  }),
};

const isInit = ({ type, subtype }: JsonObject) => type === "system" && subtype === "init";
