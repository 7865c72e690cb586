/** The answer to `initialize` of an agent that has nothing to offer. */
export const EMPTY_INITIALIZE = {
  commands: [],
  agents: [],
  models: [],
  output_style: "default",
  available_output_styles: ["default"],
  account: {},
};
