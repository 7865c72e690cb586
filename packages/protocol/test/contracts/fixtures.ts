import { readdirSync, readFileSync } from "node:fs";
import type { JsonObject } from "../../src/json.ts";

/** One line of a recorded talk and its writer. */
export interface TalkLine {
  readonly from: "host" | "agent";
  readonly line: JsonObject;
}

/** The names of the fixture files in a folder. */
export function fixtureFiles(folder: string): readonly string[] {
  return readdirSync(new URL(`${folder}/`, import.meta.url))
    .filter((name) => /\.jsonl?$/.test(name))
    .sort();
}

/** The values of a fixture: a `.json` file contains one value or a list of values. */
export function readFixture(folder: string, file: string): readonly JsonObject[] {
  const value = JSON.parse(readText(folder, file)) as JsonObject | readonly JsonObject[];
  return Array.isArray(value) ? value : [value as JsonObject];
}

/** The lines of a talk: a `.jsonl` file contains one record per line. */
export function readTalk(folder: string, file: string): readonly TalkLine[] {
  return readText(folder, file)
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as TalkLine);
}

function readText(folder: string, file: string): string {
  return readFileSync(new URL(`${folder}/${file}`, import.meta.url), "utf8");
}
