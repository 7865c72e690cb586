/** The release of the official TypeScript SDK whose interface this package has, and which it tells the agent. */
export const SDK_VERSION = "0.3.325";
