import type { CallGroup } from "../call-group.ts";
import { changeCalls } from "./change.ts";
import { commandCalls, profileCalls } from "./command.ts";
import { findCalls } from "./find.ts";
import { notebookCalls } from "./notebook.ts";
import { agentCalls, otherCalls } from "./other.ts";
import { readCalls } from "./read.ts";
import { repositoryCalls, searchCalls } from "./search.ts";

/** Every group of calls. */
export const CALL_GROUPS: readonly CallGroup[] = [
  readCalls,
  changeCalls,
  notebookCalls,
  findCalls,
  searchCalls,
  repositoryCalls,
  commandCalls,
  profileCalls,
  otherCalls,
  agentCalls,
];
