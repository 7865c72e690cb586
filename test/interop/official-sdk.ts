import { installOfficialSdk } from "./install.ts";

await installOfficialSdk();

/** The official TypeScript SDK, as published. */
export const sdk = await import("@anthropic-ai/claude-agent-sdk");

/** The schema library with which tools of the official SDK declare their input. */
export const z: typeof import("zod") = await import("zod");
