import { readFile } from "node:fs/promises";
import { isJsonObject } from "@agentwire/protocol";
import { parseJson } from "@agentwire/protocol/support";
import type { Contract } from "./contract.ts";

const LISTS = ["flags", "capabilities", "tools", "silentIn"];
const RECORDS = ["requests", "messages", "orderings"];

/** Reads a contract from its file; throws a descriptive error if the file does not contain one. */
export async function readContract(file: string | URL): Promise<Contract> {
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new Error(`${file} can't be read: ${cause.message}`, { cause });
  });
  const value = parseJson(text);
  const isContract =
    isJsonObject(value) &&
    typeof value.agent === "string" &&
    LISTS.every((key) => Array.isArray(value[key])) &&
    RECORDS.every((key) => isJsonObject(value[key]));
  if (!isContract) throw new Error(`${file} is not a contract: write one with agentwire-conformance record`);
  return value as unknown as Contract;
}
