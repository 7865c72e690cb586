import { says } from "../scripted-api/script.ts";
import { PARTIAL, prompts } from "./parts.ts";
import type { Theme } from "./scenario.ts";

/** Messages while they are being written. */
export const streaming: Theme = {
  name: "streaming",
  scenarios: [
    {
      name: "partial-messages",
      about: "with --include-partial-messages the API's events are sent before and after the assistant line",
      args: PARTIAL,
      steps: [says("Streaming text in several small pieces.", { chunkSize: 8, chunkDelay: 15 })],
      flow: prompts("stream"),
    },
    {
      name: "thinking-partial",
      about: "thinking is streamed as a separate block before the text",
      args: PARTIAL,
      steps: [
        {
          content: [
            {
              type: "thinking",
              thinking: "Let me think about that for a moment, step by step.",
              signature: "c2lnbmF0dXJl",
            },
            { type: "text", text: "The answer is 42." },
          ],
          chunkSize: 12,
          chunkDelay: 15,
        },
      ],
      flow: prompts("think"),
    },
    {
      name: "thinking-plain",
      about: "each block of a message becomes an assistant line, including thinking and redacted thinking",
      steps: [
        {
          content: [
            { type: "thinking", thinking: "Pondering.", signature: "c2ln" },
            { type: "redacted_thinking", data: "ZGF0YQ==" },
            { type: "text", text: "Done pondering." },
          ],
        },
      ],
      flow: prompts("think"),
    },
  ],
};
