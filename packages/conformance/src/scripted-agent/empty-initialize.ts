/** The answer to `initialize` by an agent that offers nothing. */
export const EMPTY_INITIALIZE = {
  commands: [],
  agents: [],
  models: [],
  output_style: "default",
  available_output_styles: ["default"],
  account: {},
};

/** The same for an agent of the Agent Client Protocol. */
export const EMPTY_GREETING = { protocolVersion: 1, agentCapabilities: {}, authMethods: [] };
