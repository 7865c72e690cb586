import { afterAll, describe, expect, test } from "vitest";
import * as host from "../../packages/host/src/index.ts";
import { userMessage } from "./live.ts";
import { sdk } from "./official-sdk.ts";
import { answerTo, scriptedProcess } from "./scripted-process.ts";

// Programs call undeclared methods of the official SDK's queries, and pass lists where it declares streams.

type AnyQuery = { close(): void } & Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** Contains what each of the answers needs. */
const ANSWER = {
  ...{ response: "R", synthetic: true, title: "T", cancelled: true },
  ...{ effective: {}, sources: [], output: "", total_bytes: 0, truncated: false },
  ...{ events: [], hooks: [], eventCatalog: [] },
  ...{ text: "", default_filename: "", exists: false, sections: [], status: "ok" },
  policy: {
    ...{ disabledByPolicy: false, managedOnly: false, pluginOnly: false, allDisabled: false },
    policyHookCount: 0,
  },
  state: { rules: [], workspaceDirectories: [], originalCwd: "/", managedOnly: false },
};

/** A query to an agent that answers all requests in the same way, and everything that was sent to it. */
function open(query: typeof sdk.query, prompt: unknown = never()) {
  const sent: object[] = [];
  const child = () =>
    scriptedProcess((message, write) => {
      if (message.type === "control_request") write(answerTo(message, ANSWER));
      if (message.request?.subtype !== "initialize") sent.push(message.request ?? message);
    });
  const options = { pathToClaudeCodeExecutable: "claude", spawnClaudeCodeProcess: child };
  const opened = query({ prompt: prompt as never, options });
  return { query: opened as unknown as AnyQuery, sent };
}

async function* never(): AsyncGenerator<never> {
  await new Promise(() => {});
}

const official = open(sdk.query);
const ours = open(host.query as never);
afterAll(() => {
  official.query.close();
  ours.query.close();
});

const CALLS: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  askSideQuestion: [
    ["why?"],
    ["why?", { history: [{ question: "q", response: "a" }] }],
    ["why?", { history: [] }],
  ],
  cancelAsyncMessage: [["uuid"]],
  claudeAuthenticate: [[true], [false, { consoleProfile: "p" }]],
  claudeOAuthCallback: [["code", "state"]],
  claudeOAuthWaitForCompletion: [[]],
  enableChannel: [["server"]],
  exportConversation: [[]],
  generateSessionTitle: [["about"], ["about", { persist: false }]],
  getHooksListing: [[]],
  getMemoryDialog: [[]],
  getPlan: [[]],
  getSandboxDialog: [[]],
  getSettings: [[]],
  getSkillsDialog: [[]],
  getStatus: [[]],
  getTaskOutput: [["task"]],
  isClosed: [[]],
  listPermissionRules: [[]],
  mcpAuthenticate: [["server"], ["server", "http://localhost/cb", { redirectUriOnly: true }]],
  mcpClearAuth: [["server"]],
  mcpSubmitOAuthCallbackUrl: [["server", "http://localhost/cb?code=1"]],
  messageRated: [[{ messageUuid: "u", sentiment: "positive" }], [{ messageUuid: "u", cleared: true }]],
  renameSession: [["title"], ["title", "session"]],
  setCwd: [["/tmp"], ["/tmp", { trustAccepted: true, trustedDirectory: "/tmp" }]],
  setPromptSuggestionsPaused: [[true]],
  submitFeedback: [["bad"], ["bad", { surface: "cli", title: "t" }]],
};

/** Internals of the official class, and methods for Anthropic's services, its desktop program or its browser extension. */
const LEFT_OUT = [
  ...[
    "addCleanupCallback",
    "afterInitialize",
    "armRunEndCeiling",
    "awaitControlResponse",
    "buildInitializeRequest",
  ],
  ...[
    "captureSdkMcpServerManifests",
    "cleanup",
    "clearRunEndCeiling",
    "connectSdkMcpServer",
    "disconnectSdkMcpServer",
  ],
  ...[
    "dropHookMatchers",
    "dropUnreadHookProgress",
    "endRun",
    "handleControlCancelRequest",
    "handleControlRequest",
  ],
  ...[
    "handleHookCallbacks",
    "handleMcpControlRequest",
    "hasBidirectionalNeeds",
    "hasHookSetToBlock",
    "initialize",
  ],
  ...[
    "performCleanup",
    "processControlRequest",
    "processPendingPermissionRequests",
    "processPendingUserDialogRequests",
  ],
  ...[
    "readMessages",
    "readSdkMessages",
    "reportMirrorError",
    "request",
    "sendMcpServerMessageToCli",
    "setError",
  ],
  ...[
    "setFrameObserver",
    "setIsSingleUserTurn",
    "setTranscriptMirrorBatcher",
    "setUiHost",
    "startupMarkReached",
  ],
  ...["waitForRunEnd", "writeBehindPromptHold", "writePrompt", "writeStreamMessage"],
  ...["claimSession", "enableRemoteControl", "getChromeBrowsers", "getChromeDialog", "launchUltrareview"],
  ...["readCloudSessions", "selectChromeBrowser", "setChromeBrowserHints", "submitSurveyFeedback"],
];

describe("undeclared methods of the official SDK", () => {
  test.each(Object.entries(CALLS))("send and return the same: %s", async (name, calls) => {
    for (const args of calls) {
      const [theirs, mine] = [official, ours].map(({ query, sent }) => ({
        sent: sent.splice(0),
        given: query[name]?.(...args),
      }));
      expect(await mine?.given).toEqual(await theirs?.given);
      expect(ours.sent).toEqual(JSON.parse(JSON.stringify(official.sent)));
      official.sent.splice(0);
      ours.sent.splice(0);
    }
  });

  test("all exist, except those listed here", () => {
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(official.query));
    const missing = methods.filter((name) => !(name in ours.query) && name !== "constructor");
    expect(missing.toSorted()).toEqual(LEFT_OUT.toSorted());
  });

  test("are refused with the agent's own error if it does not support one", async () => {
    const refusing = () =>
      scriptedProcess((message, write) => {
        const isHello = message.request?.subtype === "initialize";
        if (isHello) write(answerTo(message));
        else if (message.type === "control_request")
          write({
            type: "control_response",
            response: { subtype: "error", request_id: message.request_id, error: "Unsupported: get_plan" },
          });
      });
    const options = { pathToClaudeCodeExecutable: "claude", spawnClaudeCodeProcess: refusing };
    const query = host.query({ prompt: never(), options }) as unknown as AnyQuery;
    await expect(query.getPlan?.()).rejects.toThrow("Unsupported: get_plan");
    query.close();
  });
});

test.each(["official", "our"])("the %s SDK accepts a list of messages as well as a stream", async (whose) => {
  const prompts = ["one", "two"].map((text) => userMessage(text));
  const { query, sent } = open(whose === "our" ? (host.query as never) : sdk.query, prompts);
  await query.streamInput?.([userMessage("three")]);
  await expect.poll(() => sent.length).toBe(3);
  expect(sent.map((line) => (line as (typeof prompts)[0]).message.content).toSorted()).toEqual([
    "one",
    "three",
    "two",
  ]);
  query.close();
});
