import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { isolationOf } from "../../packages/daemon/src/isolation/isolation-settings.ts";
import { debianProgram } from "../debian.ts";
import { agentOf, installVersions, NATIVE } from "./install.ts";
import { runTalk } from "./talk.ts";

debianProgram("bubblewrap", ["/usr/bin/bwrap"]);
debianProgram("socat", ["/usr/bin/socat"]);

const OWN = fileURLToPath(new URL("../../packages/agent/bin/agentwire-agent", import.meta.url));

describe("in a daemon's sandbox", { timeout: 240_000 }, () => {
  beforeAll(installVersions, 600_000);

  test("the official agent and ours can reach their API and run a command, but can't reach anything else", async () => {
    const sandbox = isolationOf(true, "/");
    const said = await runTalk("isolated-talk.mjs", await agentOf(NATIVE), [OWN, JSON.stringify(sandbox)]);
    expect(said.failure).toBeUndefined();
    const turn = {
      texts: ["That is done."],
      // Two header lines and the loopback interface, then the proxy's response.
      results: ["3\nThe sandbox of this agent does not allow this host."],
      errors: [],
      made: true,
    };
    expect(said).toMatchObject({ official: turn, own: turn, outside: false });
    expect(said.versions[0]).toBe("2.1.325");
  });
});
