import { defaulted, optional } from "../schema/object.ts";
import { number, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { about } from "../schema/schema.ts";
import { system } from "./common.ts";

/** A prompt waits for its place in the running turn (miriad). */
export const queuedMessage = about(
  "X",
  "The miriad dialect: sent immediately when a prompt arrives while a turn runs.",
  system("queued", { position: defaulted(number, 1, "counts from 1") }),
);

/** A prompt waits for its place in the running turn (miriad). */
export type QueuedMessage = Infer<typeof queuedMessage>;

/** Waiting prompts have joined the running turn (miriad). */
export const injectedMessage = about(
  "X",
  "The miriad dialect: sent before the model call that sees the waiting prompts.",
  system("injected", {
    message_count: defaulted(number, 1),
    content_length: defaulted(number, 0, "UTF-16 length of the joined text"),
  }),
);

/** Waiting prompts have joined the running turn (miriad). */
export type InjectedMessage = Infer<typeof injectedMessage>;

/** The running turn is being cancelled (miriad). */
export const interruptedMessage = about(
  "X",
  "The miriad dialect: sent once when an interrupt takes effect; the turn's result follows.",
  system("interrupted", {}),
);

/** The running turn is being cancelled (miriad). */
export type InterruptedMessage = Infer<typeof interruptedMessage>;

/** Something went wrong that ends neither turn nor process (miriad). */
export const errorNotice = about(
  "X",
  "The miriad dialect: sent for unusable input; it says what is wrong.",
  system("error", {
    message: defaulted(string, ""),
    code: optional(string, "set by the Dart dialect"),
  }),
);

/** Something went wrong that ends neither turn nor process (miriad). */
export type ErrorNotice = Infer<typeof errorNotice>;

/** Long-term memory was consolidated (miriad). */
export const consolidationMessage = about(
  "X",
  "The miriad dialect: sent when a background consolidation has changed the long-term memory.",
  system("consolidation", {
    entries_created: defaulted(number, 0),
    entries_updated: defaulted(number, 0),
    entries_archived: optional(number),
    summary: optional(string),
  }),
);

/** Long-term memory was consolidated (miriad). */
export type ConsolidationMessage = Infer<typeof consolidationMessage>;

/** A conversation has begun and has an id (Dart). */
export const sessionCreatedMessage = about(
  "X",
  "The Dart dialect: sent once, when the first prompt has opened the session.",
  system("session_created", {}),
);

/** A conversation has begun and has an id (Dart). */
export type SessionCreatedMessage = Infer<typeof sessionCreatedMessage>;
