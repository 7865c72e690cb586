import { PERMISSION_MODES } from "@agentwire/protocol/permission";
import type { Option } from "../command.ts";

/** What a new session may be given. */
export const SESSION_OPTIONS: readonly Option[] = [
  { name: "cwd", value: "DIR", summary: "the folder to work in, instead of this one" },
  { name: "trust", summary: "trusts the folder: what its files allow themselves counts, now and later" },
  { name: "agent", value: "NAME", summary: "the agent, as settings.json or doctor names it" },
  { name: "model", value: "NAME", summary: "the model" },
  { name: "mode", value: "MODE", summary: "the permission mode", choices: PERMISSION_MODES },
];
