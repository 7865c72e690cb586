import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest test files, roughly in order. CPU-bound files alternate with files that wait for published agents. */
export const LONGEST: readonly string[] = [
  "test/versions/frozen.test.ts",
  "packages/daemon/test/chaos/chaos.test.ts",
  "packages/protocol/test/lines/hostile-lines.test.ts",
  "packages/daemon/test/foreign-clients/foreign-clients.test.ts",
  "test/versions/rules.test.ts",
  "packages/agent/test/serve/kill.test.ts",
  "packages/conformance/test/agent.conformance.test.ts",
  "packages/conformance/test/other-wires.conformance.test.ts",
  "packages/web/test/browser/looks.test.ts",
  "test/interop/host-score.test.ts",
  "test/versions/host.test.ts",
  "packages/agent/test/serve/interleaving.test.ts",
  "packages/agent/test/database/interleaving.test.ts",
  "test/interop/host-examples.test.ts",
  "packages/daemon/test/chaos/once.test.ts",
  "test/readmes.test.ts",
  "test/versions/daemon.test.ts",
  "test/versions/moves.test.ts",
  "packages/web/test/browser/endurance.test.ts",
  "packages/web/test/browser/scale.test.ts",
  "packages/cli/test/program/screen.test.ts",
  "packages/cli/test/program/odd-places.test.ts",
  "test/versions/trust.test.ts",
  "packages/agent/test/serve/slow-host.test.ts",
  "packages/cli/test/program/run.test.ts",
  "packages/cli/test/program/operations.test.ts",
  "packages/daemon/test/cluster/broken-links.test.ts",
  "test/versions/stop.test.ts",
  "packages/cli/test/program/daemon.test.ts",
  "packages/cli/test/program/commands.test.ts",
  "packages/agent/test/serve/jsonrpc/interleaving.test.ts",
  "packages/daemon/test/session/supervision.test.ts",
  "packages/daemon/test/e2e/isolation.test.ts",
  "test/interop/ends.test.ts",
  "test/interop/nodes.test.ts",
  "test/interop/python-cases.test.ts",
  "test/tarballs.test.ts",
];

/** Starts the longest files first, so that no run has to wait for a single long file at its end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
