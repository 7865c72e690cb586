import { editTool } from "./edit.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { notebookEditTool } from "./notebook-edit.ts";
import { readTool } from "./read.ts";
import { todoWriteTool } from "./todo-write.ts";
import type { Tool } from "./tool.ts";
import { writeTool } from "./write.ts";

/** The tools that read, search and change files, and the todo list. */
export function fileTools(): readonly Tool[] {
  return [readTool, writeTool, editTool, notebookEditTool, globTool, grepTool, todoWriteTool];
}
