export {
  type Facts,
  isBusy,
  type KnownQuestion,
  newFacts,
  type QueuedPrompt,
  type Task,
  withEarlier,
  withEvents,
  withOpenQuestions,
  withoutQuestion,
  withQueue,
} from "./facts.ts";
export {
  heldBy,
  type Input,
  type InputClaim,
  type InputStatus,
  inputAfter,
  inputStatusOf,
} from "./input.ts";
