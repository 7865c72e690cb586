/** What the model is told to go on with after a reply that was no end. */
export const NUDGES = {
  refused:
    "Your reply was stopped by a safety check, and what was left of it was withheld. Do not produce that content again in any form; go on without it, or say that you can't.",
  cutOff:
    "Your reply was cut off at the length limit. Go on exactly where it stopped, without repeating anything, in smaller pieces.",
  cutStream:
    "The connection was lost in the middle of your reply. Go on exactly where it stopped, without repeating anything; if nothing of it is there, begin anew.",
  noCall: "You stopped to call a tool, and there is no call. Call the tool now, or answer without it.",
  empty: "Your reply was empty. Say something to the user, or call a tool.",
  unstructured: "Answer by calling the StructuredOutput tool now; nothing else completes this request.",
} as const;
