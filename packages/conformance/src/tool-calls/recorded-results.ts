import { readFile } from "node:fs/promises";
import { RECORDED_AGENT } from "../recording.ts";
import type { CallResult } from "./play-calls.ts";

/** The results of every call: by group, then by call. */
export type Results = Readonly<Record<string, Readonly<Record<string, CallResult>>>>;

/** The file with the results of the official agent. */
const RECORDED_RESULTS = new URL(`../../tool-results/${RECORDED_AGENT}.json`, import.meta.url);

/** Reads the results of the official agent's tools. */
export async function readRecordedResults(): Promise<Results> {
  return JSON.parse(await readFile(RECORDED_RESULTS, "utf8"));
}
