import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The test files that take longest, longest first. */
export const LONGEST: readonly string[] = [
  "packages/conformance/test/agent.conformance.test.ts",
  "packages/daemon/test/chaos/chaos.test.ts",
  "packages/agent/test/process/kill.test.ts",
  "test/versions/frozen.test.ts",
  "packages/daemon/test/foreign-clients/foreign-clients.test.ts",
  "packages/agent/test/memory/compaction.test.ts",
  "test/versions/daemon.test.ts",
  "test/versions/host.test.ts",
  "test/versions/rules.test.ts",
  "test/tarballs.test.ts",
  "test/readmes.test.ts",
  "test/interop/nodes.test.ts",
  "test/interop/python-cases.test.ts",
  "packages/web/test/browser/endurance.test.ts",
  "packages/web/test/browser/scale.test.ts",
  "packages/web/test/browser/looks.test.ts",
  "packages/daemon/test/chaos/once.test.ts",
  "packages/protocol/test/lines/hostile-lines.test.ts",
];

/** Begins with the longest files, so that no run has to wait for a single one at its end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
