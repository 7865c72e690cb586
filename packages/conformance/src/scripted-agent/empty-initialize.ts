/** The answer to `initialize` of an agent that has nothing to offer. */
export const EMPTY_INITIALIZE = {
  commands: [],
  agents: [],
  models: [],
  output_style: "default",
  available_output_styles: ["default"],
  account: {},
};

/** The same of an agent of the Agent Client Protocol. */
export const EMPTY_GREETING = { protocolVersion: 1, agentCapabilities: {}, authMethods: [] };
