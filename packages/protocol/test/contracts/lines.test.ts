import { describe, expect, test } from "vitest";
import type { Dialect } from "../../src/dialect/dialect.ts";
import type { JsonObject } from "../../src/json.ts";
import type { AgentMessage, HostMessage } from "../../src/message.ts";
import type { Repair } from "../../src/schema/reading.ts";
import type { Contract } from "./contract.ts";
import { differences } from "./differences.ts";
import { openEnds } from "./ends.ts";
import { readFixture } from "./fixtures.ts";
import { type Heard, hear, written } from "./hearing.ts";
import { TABLES } from "./tables.ts";

/** Reads lines at the end they are addressed to. */
function read(
  dialect: Dialect,
  { from, before }: Contract,
  lines: readonly JsonObject[],
): Heard<AgentMessage | HostMessage>[] {
  const { host, agent } = openEnds(dialect, before);
  return lines.map((line) => (from === "agent" ? hear(host, line) : hear(agent, line)));
}

/** Writes canonical messages at the end they are sent from. */
function write(
  dialect: Dialect,
  { from, before, closing }: Contract,
  messages: readonly (AgentMessage | HostMessage)[],
): readonly JsonObject[] {
  const { host, agent } = openEnds(dialect, before);
  if (from === "host") return messages.flatMap((message) => written(host, message as HostMessage));
  const lines = messages.flatMap((message) => written(agent, message as AgentMessage));
  return closing ? [...lines, ...written(agent, closing).slice(0, -1)] : lines;
}

describe.each(TABLES)("$folder", ({ folder, dialect, contracts }) => {
  describe.each(contracts)("$file", (contract) => {
    const { file, inside = (part: JsonObject) => part, becomes, holds, again = [], oneWay } = contract;
    const lines = readFixture(folder, file).map(inside);
    const heard = read(dialect, contract, lines);
    const messages = heard.flatMap((one) => one.messages);

    test("is read as the expected messages", () => {
      expect(messages).toMatchObject(becomes);
      expect(heard.flatMap(({ faults, replies }) => [...faults, ...replies])).toEqual([]);
      expect(heard.flatMap(({ repairs }) => repairs).filter(changesSomething)).toEqual([]);
      holds?.(messages);
    });

    if (oneWay === undefined)
      test("is written again as it was read", () => {
        const found = differences(lines, write(dialect, contract, messages));
        expect(
          found.toSorted(),
          "+ was added, - was lost, ~ has changed: translate it at both ends, or list it in `again` of the row",
        ).toEqual(spelledOut(again, lines.length).toSorted());
      });
  });
});

/**
 * A default in place of a missing value and an unknown kind are part of tolerance; a changed value would be a
 * misreading.
 */
const changesSomething = ({ kind, was }: Repair) => kind !== "unknown" && was !== undefined;

/** Differences apply to all lines of a fixture. */
function spelledOut(again: readonly string[], lines: number): readonly string[] {
  return Array.from({ length: lines }).flatMap((_, line) =>
    again.map((difference) => `${difference.slice(0, 1)}${line}.${difference.slice(1)}`),
  );
}
