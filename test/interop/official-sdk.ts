import { installOfficialSdk } from "./install.ts";

await installOfficialSdk();

/** The official TypeScript SDK, as published. */
export const sdk = await import("@anthropic-ai/claude-agent-sdk");

/** The schema library in which the official SDK's tools describe their input. */
export const z: typeof import("zod") = await import("zod");
