export type {
  AskedQuestion,
  CallItem,
  Item,
  NoticeItem,
  PromptItem,
  QuestionItem,
  SaidItem,
  Stage,
  ThoughtItem,
  TurnItem,
} from "./item.ts";
export { adviceOn, informationIn } from "./notices.ts";
export { storedTimeline } from "./stored-timeline.ts";
export { Timeline } from "./timeline.ts";
