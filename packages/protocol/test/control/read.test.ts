import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { readAgentRequest, readHostRequest } from "../../src/control/read.ts";
import type { RequestOf, ResponseOf } from "../../src/control/request-table.ts";
import type { agentRequests } from "../../src/control/tables.ts";
import { type HostRequest, hostRequest, hostRequests } from "../../src/control/tables.ts";
import type { HookInput } from "../../src/hooks/events.ts";
import type { PermissionResult } from "../../src/permission/result.ts";
import { Reading } from "../../src/schema/reading.ts";
import { Unknown } from "../../src/schema/unknown.ts";

describe("a request that has no handler", () => {
  const unsupported = (subtype: string) => ({
    ok: false,
    code: "unsupported_request",
    reason: `Unsupported control request subtype: ${subtype}`,
  });

  test.each(["make_coffee", "", "__proto__", "constructor", "toString", "hasOwnProperty"])(
    "is unsupported if its subtype is %j",
    (subtype) => {
      expect(readHostRequest({ subtype })).toEqual(unsupported(subtype));
      expect(readAgentRequest({ subtype })).toEqual(unsupported(subtype));
    },
  );

  test("is unsupported in the wrong direction", () => {
    expect(readHostRequest({ subtype: "can_use_tool" })).toMatchObject({ code: "unsupported_request" });
    expect(readAgentRequest({ subtype: "interrupt" })).toMatchObject({ code: "unsupported_request" });
  });

  test.each([undefined, null, 1, "interrupt", [], {}, { subtype: 1 }, { subtype: null }])(
    "is invalid if it is %j",
    (value) => {
      expect(readHostRequest(value)).toMatchObject({ ok: false, code: "invalid_request" });
    },
  );
});

describe("a host's request", () => {
  const faults: [string, object, string][] = [
    ["a missing field", { subtype: "mcp_toggle", serverName: "s" }, "enabled is missing"],
    [
      "a hook that would be dropped",
      { subtype: "initialize", hooks: { Stop: [{ hookCallbackIds: ["a"] }, {}] } },
      "hooks.Stop.1.hookCallbackIds is missing",
    ],
    ["hooks of another type", { subtype: "initialize", hooks: "all" }, "hooks can't be read"],
    [
      "a callback id of another type",
      { subtype: "initialize", hooks: { Stop: [{ hookCallbackIds: ["a", {}] }] } },
      "hooks.Stop.0.hookCallbackIds.1 can't be read",
    ],
    [
      "an unknown onFailure",
      { subtype: "initialize", hooks: { Stop: [{ hookCallbackIds: ["a"], onFailure: "blok" }] } },
      "hooks.Stop.0.onFailure can't be read",
    ],
    [
      "names of another type",
      { subtype: "initialize", sdkMcpServers: [{}] },
      "sdkMcpServers.0 can't be read",
    ],
    ["an option of another type", { subtype: "interrupt", cancel_queued: 7 }, "cancel_queued can't be read"],
  ];

  test.each(faults)("is refused for %s, and the path is reported", (_, request, reason) => {
    expect(readHostRequest(request)).toEqual({
      ok: false,
      code: "invalid_request",
      reason: `Invalid ${(request as { subtype: string }).subtype} request: ${reason}`,
    });
  });

  test("may have null for absent fields", () => {
    const request = {
      subtype: "initialize",
      hooks: { PreToolUse: [{ matcher: null, hookCallbackIds: ["hook_0"], timeout: null }], Stop: null },
      agents: null,
      skills: null,
    };
    expect(readHostRequest(request)).toEqual({
      ok: true,
      request: {
        subtype: "initialize",
        hooks: { PreToolUse: [{ matcher: null, hookCallbackIds: ["hook_0"] }] },
      },
    });
    expect(readHostRequest({ subtype: "initialize", hooks: null })).toMatchObject({ ok: true });
  });

  test("may have a single system prompt instead of a list", () => {
    const request = { subtype: "initialize", systemPrompt: "Be brief." };
    expect(readHostRequest(request)).toMatchObject({ request: { systemPrompt: ["Be brief."] } });
  });

  test("keeps fields that this version does not know", () => {
    const request = { subtype: "interrupt", reason: "user", hooks_2: {} };
    expect(readHostRequest(request)).toEqual({ ok: true, request });
  });

  test("keeps an MCP server of an unknown kind and never reads it as a command", () => {
    const servers = { a: { command: "x" }, b: { type: "ws", command: "x" }, c: { type: "http" }, d: {} };
    const read = readHostRequest({ subtype: "mcp_set_servers", servers });
    expect(read).toMatchObject({ ok: true, request: { servers: { a: { command: "x" } } } });
    const { b, c, d } = (read as { request: { servers: Record<string, unknown> } }).request.servers;
    expect(b).toBeInstanceOf(Unknown);
    expect(c).toBeInstanceOf(Unknown);
    expect(d).toBeInstanceOf(Unknown);
    expect(JSON.parse(JSON.stringify({ b, c }))).toEqual({ b: servers.b, c: servers.c });
  });

  test("is never half read and never makes the reader throw, whatever it contains", () => {
    const names = Object.keys(hostRequests) as (keyof typeof hostRequests)[];
    const request = fc
      .tuple(fc.constantFrom(...names), fc.dictionary(fc.constantFrom(...fieldNames()), fc.jsonValue()))
      .map(([subtype, fields]) => ({ ...fields, subtype }));
    fc.assert(
      fc.property(request, (value) => {
        const read = readHostRequest(value);
        if (!read.ok) return;
        // A server of unknown shape is kept, so that it can be refused by name.
        const isKnown = !holdsUnknown(read.request);
        expect(hostRequests[value.subtype].request.accepts(read.request)).toBe(isKnown);
        for (const [name, given] of Object.entries(value)) {
          if (given !== null) expect(Object.hasOwn(read.request, name)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  const holdsUnknown = (value: unknown): boolean =>
    value instanceof Unknown ||
    (typeof value === "object" && value !== null && Object.values(value).some(holdsUnknown));
  const fieldNames = () => Object.values(hostRequests).flatMap(({ request }) => Object.keys(request.fields));
});

describe("an agent's request", () => {
  test("drops a detail that can't be read and is still asked", () => {
    const question = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" };
    expect(readAgentRequest({ ...question, description: {}, matched_ask_rule: "x" })).toEqual({
      ok: true,
      request: question,
    });
  });

  test("keeps a suggestion that is newer than this version, so that it can be sent back unchanged", () => {
    const suggestion = { type: "addHosts", hosts: ["a"] };
    const read = readAgentRequest({
      subtype: "can_use_tool",
      tool_name: "Bash",
      input: {},
      permission_suggestions: [suggestion],
    });
    expect(JSON.parse(JSON.stringify(read)).request.permission_suggestions).toEqual([suggestion]);
  });
});

test("the schema of all requests keeps an unknown one completely", () => {
  const raw = { subtype: "make_coffee", sugar: 2 };
  const read = hostRequest.read(raw, new Reading());
  expect(read).toBeInstanceOf(Unknown);
  expect(JSON.parse(JSON.stringify(read))).toEqual(raw);
});

test("a switch on subtype narrows a request", () => {
  const narrow = (request: HostRequest) => {
    switch (request.subtype) {
      case "set_model":
        return expectTypeOf(request.model).toEqualTypeOf<string | null | undefined>();
      case "mcp_toggle":
        return expectTypeOf(request.enabled).toEqualTypeOf<boolean>();
      case "stop_task":
        return expectTypeOf(request).toEqualTypeOf<{ subtype: "stop_task"; task_id: string }>();
      default:
        return expectTypeOf(request.subtype).toBeString();
    }
  };
  expect(narrow).toBeTypeOf("function");
});

test("the tables provide the types of a caller's arguments and results", () => {
  type Host = typeof hostRequests;
  type Agent = typeof agentRequests;
  expectTypeOf<RequestOf<Host, "set_model">>().toEqualTypeOf<{ model?: string | null }>();
  expectTypeOf<RequestOf<Host, "get_settings">>().toEqualTypeOf<Record<never, never>>();
  expectTypeOf<ResponseOf<Host, "interrupt">>().toEqualTypeOf<{
    still_queued: string[];
    cancelled?: string[];
  }>();
  expectTypeOf<ResponseOf<Agent, "can_use_tool">>().toEqualTypeOf<PermissionResult>();
  expectTypeOf<RequestOf<Agent, "hook_callback">["input"]>().toEqualTypeOf<HookInput>();
});
