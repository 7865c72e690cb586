export {
  type Facts,
  isBusy,
  type KnownQuestion,
  newFacts,
  type QueuedPrompt,
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
export { isRunning, type Task, type Tasks } from "./tasks.ts";
