import type { ModelInfo } from "@agentwire/protocol";

/** The models a host can offer its user. */
export const MODELS: ModelInfo[] = [
  { value: "default", displayName: "Default", description: "The model this session started with" },
  { value: "opus", displayName: "Opus", description: "For work that needs the most thought" },
  { value: "sonnet", displayName: "Sonnet", description: "For everyday work" },
  { value: "haiku", displayName: "Haiku", description: "For quick answers" },
];
