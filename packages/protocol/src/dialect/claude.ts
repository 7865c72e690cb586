import { readMessage } from "../decode.ts";
import { agentMessages, hostMessages } from "../message.ts";
import type { Dialect } from "./dialect.ts";

/** The official wire of today. It is the canonical form, so there is nothing to translate. */
export const claude: Dialect = {
  name: "claude",
  versions: { min: "2.0.0", max: "2.1.x" },
  unknown: "pass_on",
  forHost: () => ({
    decode: (value, sink) => readMessage(agentMessages, value, sink),
    encode: (message) => [message],
  }),
  forAgent: () => ({
    decode: (value, sink) => readMessage(hostMessages, value, sink),
    encode: (message) => [message],
  }),
};
