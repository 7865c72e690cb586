/** Determines which models can be reached and what they support. */

export { type ModelProbe, probeModel, type Trial } from "../probe/probe-model.ts";
export { claudeProvider } from "../providers/claude.ts";
export { connectionProblem, foundModels, type ModelList } from "../providers/list-models.ts";
export { type ModelChoice, modelChoices } from "../providers/model-choices.ts";
