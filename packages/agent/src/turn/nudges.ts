/** What the model is told to go on with after a reply that was no end. */
export const NUDGES = {
  refused:
    "Your reply was stopped by a safety check, and what was left of it was withheld. Do not produce that content again in any form; go on without it, or say that you can't.",
  cutOff:
    "Your reply was cut off at the length limit. Go on exactly where it stopped, without repeating anything, in smaller pieces.",
  empty: "Your reply was empty. Say something to the user, or call a tool.",
  unstructured: "Answer by calling the StructuredOutput tool now; nothing else completes this request.",
} as const;
