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
export { Timeline } from "./timeline.ts";
