/** Scripted conversations: parses a script and plays it as a model or a server. */

export { type CallKind, type Frame, playScript, type ScriptPlayer } from "../script/player.ts";
export { piecesOf, type ReplyBlock, replyEvents } from "../script/reply-events.ts";
export {
  fits,
  InvalidScript,
  type Lane,
  parseScript,
  type Script,
  type ScriptBlock,
  type ScriptError,
  type ScriptFailure,
  type ScriptReply,
  type ScriptReset,
  type ScriptStep,
} from "../script/script.ts";
