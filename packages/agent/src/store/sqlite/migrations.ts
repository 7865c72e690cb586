import { CONVERSATIONS } from "./conversations-schema.ts";
import { MEMORY } from "./memory-schema.ts";

/** What made the tables what they are, oldest first. One that has been released is never changed: the next one corrects it. */
export const MIGRATIONS: readonly string[] = [CONVERSATIONS, MEMORY];
