import { describe, expect, test } from "vitest";
import { differences } from "./differences.ts";
import { readTalk } from "./fixtures.ts";
import { TABLES } from "./tables.ts";
import { openWire, type Wire } from "./wire.ts";

const talks = TABLES.flatMap(({ folder, dialect, talks }) =>
  talks.map((talk) => ({ ...talk, folder, dialect })),
);

describe.each(talks)(
  "$folder/$file",
  ({ folder, file, dialect, steps, agentHears, hostHears, differs = [] }) => {
    const run = (): Wire => {
      const wire = openWire(dialect);
      for (const step of steps) step(wire);
      return wire;
    };

    test("passes over the wire line by line as documented", () => {
      const expected = readTalk(folder, file);
      const { lines } = run();
      expect(lines.map(({ from }) => from)).toEqual(expected.map(({ from }) => from));
      const found = differences(
        expected.map(({ line }) => line),
        lines.map(({ line }) => line),
      );
      expect(found.toSorted()).toEqual(differs.toSorted());
    });

    test("is understood at both ends", () => {
      const { agentHeard, hostHeard } = run();
      expect(agentHeard).toMatchObject(agentHears);
      expect(hostHeard).toMatchObject(hostHears);
    });
  },
);
