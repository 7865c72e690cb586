import { claudeV1 } from "../../../src/dialect/claude-v1.ts";
import { added, INIT_DEFAULTS, RESULT_DEFAULTS } from "../additions.ts";
import type { Table } from "../contract.ts";

/** What 1.1, which was never published, would add: new fields reach readers that know them, in both directions. */
export const v11Table: Table = {
  folder: "claude_code_v1_1_x",
  dialect: claudeV1,
  contracts: [
    {
      file: "system_init.json",
      from: "agent",
      becomes: [
        {
          tools: ["Bash"],
          api_version: "anthropic-2024-12-01",
          capabilities: ["context_window_info", "tool_timing"],
        },
      ],
      again: added("", INIT_DEFAULTS),
    },
    {
      file: "result_message.json",
      from: "agent",
      becomes: [
        {
          subtype: "success",
          context_window_info: { used: 15400, limit: 200000 },
          tool_timing: { toolu_01ABC: { duration_ms: 12 } },
        },
      ],
      again: added("", RESULT_DEFAULTS),
    },
  ],
  talks: [],
};
