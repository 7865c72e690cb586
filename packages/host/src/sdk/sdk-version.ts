/** The release of the official TypeScript SDK whose interface this package implements, and which it reports to the agent. */
export const SDK_VERSION = "0.3.325";
