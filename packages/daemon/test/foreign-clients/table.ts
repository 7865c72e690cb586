import {
  AccessScope,
  AdminService,
  AuditService,
  ConfigScope,
  Health,
  HealthService,
  ModelService,
  NodeService,
  PresenceService,
  PushService,
  QuestionService,
  RuleBehavior,
  RuleScope,
  RuleService,
  ServerReflection,
  ServerReflectionAlpha,
  SessionService,
  TokenService,
  ToolingService,
  UsageService,
  WorkspaceService,
  WorktreeEnd,
} from "@agentwire/api";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { Place } from "./call.ts";

/** Values shared by the calls, and ids that earlier calls left for later ones. */
export interface State {
  readonly folder: string;
  /** Different for each run of the table. */
  readonly name: string;
  readonly ids: Map<string, string>;
}

/** One call and its expected end, whichever client makes it. */
export interface Row {
  readonly method: DescMethod;
  readonly send: (state: State) => object | readonly object[];
  /** Omitted for a call that succeeds. */
  readonly code?: Code;
  /** The full error message, or a pattern for it. */
  readonly text?: string | RegExp;
  readonly timeoutMs?: number;
  /** The minimum number of answers; one by default. */
  readonly answers?: number;
  /** The id in an answer that later calls need, stored under a name. */
  readonly keep?: readonly [name: string, of: (answer: Record<string, { id: string } | string>) => string];
}

const session = SessionService.method;
const questions = QuestionService.method;
const rules = RuleService.method;
const usage = UsageService.method;
const workspace = WorkspaceService.method;
const tooling = ToolingService.method;
const push = PushService.method;
const health = HealthService.method;
const admin = AdminService.method;
const tokens = TokenService.method;

const sessionId = ({ ids }: State) => ids.get("session") ?? "";
const inSession =
  (more: object = {}) =>
  (state: State) => ({ sessionId: sessionId(state), ...more });
const idIn = (key: string) => (answer: Record<string, { id: string } | string>) =>
  (answer[key] as { id: string }).id;

const NO_QUESTION = { code: Code.NotFound, text: "QUESTION_NOT_FOUND: There is no question with that id." };
const NO_WORKTREE = {
  code: Code.FailedPrecondition,
  text: "WORKTREE_REFUSED: the session has no worktree of its own",
};
const NO_REPOSITORY = {
  code: Code.FailedPrecondition,
  text: /^WORKSPACE_REFUSED: .* is not in a git repository/,
};
const ALONE = {
  code: Code.InvalidArgument,
  text: "INVALID_ARGUMENT: this daemon is not part of a cluster: it has its own store",
};
const LATE = { code: Code.DeadlineExceeded, timeoutMs: 400 };

/** Every RPC once, in an order in which each finds what it needs. */
export const RPCS: readonly Row[] = [
  {
    method: session.createSession,
    send: ({ folder, name }) => ({ cwd: folder, title: name }),
    keep: ["session", idIn("session")],
  },
  { method: session.inspectFolder, send: ({ folder }) => ({ cwd: folder }) },
  { method: workspace.findFiles, send: inSession({ query: "a" }) },
  { method: workspace.listFiles, send: inSession() },
  {
    method: workspace.readFile,
    send: inSession({ path: "../none" }),
    code: Code.InvalidArgument,
    text: /^INVALID_ARGUMENT: path: /,
  },
  {
    method: workspace.getTaskOutput,
    send: inSession({ taskId: "none" }),
    code: Code.FailedPrecondition,
    text: /no agent is running/,
  },
  {
    method: workspace.stopTask,
    send: inSession({ taskId: "none" }),
    code: Code.FailedPrecondition,
    text: /no agent is running/,
  },
  { method: workspace.listFolders, send: ({ folder }) => ({ path: folder }) },
  { method: tooling.listMcpServers, send: inSession() },
  {
    method: tooling.setMcpServer,
    send: ({ folder }) => ({ cwd: folder, scope: ConfigScope.PROJECT, name: "a b" }),
    code: Code.InvalidArgument,
    text: /^INVALID_ARGUMENT: name: /,
  },
  {
    method: tooling.removeMcpServer,
    send: ({ folder }) => ({ cwd: folder, scope: ConfigScope.PROJECT, name: "none" }),
    code: Code.InvalidArgument,
    text: "INVALID_ARGUMENT: name: the file names no server none",
  },
  {
    method: tooling.reconnectMcpServer,
    send: inSession({ name: "none" }),
    code: Code.FailedPrecondition,
    text: /^AGENT_FAILED: /,
  },
  { method: tooling.listHooks, send: ({ folder }) => ({ cwd: folder }) },
  {
    method: tooling.addHook,
    send: ({ folder }) => ({ cwd: folder, scope: ConfigScope.LOCAL, event: "None" }),
    code: Code.InvalidArgument,
    text: /^INVALID_ARGUMENT: event: /,
  },
  {
    method: tooling.removeHook,
    send: ({ folder }) => ({ cwd: folder, scope: ConfigScope.LOCAL, id: "none" }),
    code: Code.InvalidArgument,
    text: "INVALID_ARGUMENT: id: the file no longer has this hook",
  },
  {
    method: tooling.matchHooks,
    send: ({ folder }) => ({ cwd: folder, event: "PreToolUse", subject: "Bash" }),
  },
  { method: PresenceService.method.attend, send: inSession() },
  { method: push.getPushKey, send: () => ({}) },
  {
    method: push.subscribe,
    send: () => ({ endpoint: "https://127.0.0.1/" }),
    code: Code.InvalidArgument,
    text: /^INVALID_ARGUMENT: endpoint: 127\.0\.0\.1 is not a push service/,
  },
  { method: push.unsubscribe, send: () => ({ endpoint: "https://fcm.googleapis.com/none" }) },
  {
    method: push.testPush,
    send: () => ({ endpoint: "https://fcm.googleapis.com/none" }),
    code: Code.InvalidArgument,
    text: "INVALID_ARGUMENT: endpoint: there is no such subscription",
  },
  { method: workspace.listCommands, send: inSession() },
  { method: workspace.getContext, send: inSession() },
  { method: workspace.getChanges, send: inSession() },
  { method: workspace.stageFiles, send: inSession({ paths: ["a"], staged: true }), ...NO_REPOSITORY },
  { method: workspace.commitChanges, send: inSession({ message: "a" }), ...NO_REPOSITORY },
  { method: workspace.revertChange, send: inSession({ path: "a" }), ...NO_REPOSITORY },
  { method: session.listSessions, send: () => ({ pageSize: 3 }) },
  { method: session.searchSessions, send: () => ({ query: "nothing like it" }) },
  { method: session.getSession, send: inSession() },
  { method: session.renameSession, send: inSession({ title: "Größe: 100 %" }) },
  { method: session.setModel, send: inSession({ model: "sonnet" }) },
  { method: session.setMode, send: inSession({ permissionMode: "plan" }) },
  { method: session.setEffort, send: inSession({ effort: "high" }) },
  { method: session.setMcpServers, send: inSession({ serversJson: "{}" }) },
  { method: session.markSession, send: inSession({ pinned: true, archived: false }) },
  {
    method: session.forkSession,
    send: inSession(),
    code: Code.InvalidArgument,
    text: "INVALID_ARGUMENT: a session can't be forked before its first turn",
  },
  { method: session.listLocalSessions, send: () => ({ search: "nothing like it" }) },
  {
    method: session.adoptSession,
    send: () => ({ agentSessionId: "../x" }),
    code: Code.InvalidArgument,
    text: "INVALID_ARGUMENT: agent_session_id: Claude Code has no session ../x",
  },
  { method: session.getWorktree, send: inSession(), ...NO_WORKTREE },
  { method: session.endWorktree, send: inSession({ end: WorktreeEnd.KEEP }), ...NO_WORKTREE },
  {
    method: session.rewind,
    send: inSession({ promptId: "none" }),
    code: Code.FailedPrecondition,
    text: /^AGENT_FAILED: /,
  },
  { method: session.takeInput, send: inSession({ client: "me" }) },
  { method: session.requestInput, send: inSession({ client: "me" }) },
  {
    method: session.handOverInput,
    send: inSession({ client: "me" }),
    code: Code.InvalidArgument,
    text: "INVALID_ARGUMENT: no client of that name has asked for the input",
  },
  { method: session.releaseInput, send: inSession({ client: "me" }) },
  {
    method: session.sendPrompt,
    send: inSession({ text: "hello" }),
    keep: ["prompt", ({ promptId }) => String(promptId)],
  },
  { method: session.watch, send: inSession(), ...LATE },
  {
    method: session.converse,
    send: (state) => [
      { requestId: "1", command: { case: "interrupt", value: { sessionId: sessionId(state) } } },
    ],
  },
  { method: session.interrupt, send: inSession() },
  {
    method: session.cancelPrompt,
    send: (state) => ({ sessionId: sessionId(state), promptId: state.ids.get("prompt") }),
  },
  {
    method: session.movePrompt,
    send: (state) => ({ sessionId: sessionId(state), promptId: state.ids.get("prompt"), position: 1 }),
  },
  { method: session.listEvents, send: inSession({ pageSize: 5 }) },
  { method: session.listRawLines, send: inSession({ pageSize: 5 }) },
  { method: session.deleteSession, send: inSession() },
  { method: session.restoreSession, send: inSession() },
  { method: questions.listQuestions, send: () => ({}) },
  {
    method: questions.decide,
    send: () => ({ questionId: "none", decision: { case: "deny", value: {} } }),
    ...NO_QUESTION,
  },
  { method: questions.answer, send: () => ({ questionId: "none" }), ...NO_QUESTION },
  {
    method: rules.setRule,
    send: ({ name }) => ({ rule: `Bash(${name})`, behavior: RuleBehavior.DENY, scope: RuleScope.USER }),
    keep: ["rule", idIn("rule")],
  },
  { method: rules.listRules, send: () => ({}) },
  {
    method: rules.explain,
    send: ({ folder }) => ({ toolName: "Bash", inputJson: '{"command":"ls"}', cwd: folder }),
  },
  { method: rules.removeRule, send: ({ ids }) => ({ id: ids.get("rule") }) },
  { method: usage.listUsage, send: () => ({}) },
  { method: usage.bookUsage, send: () => ({ model: "mine/tiny", usage: {} }) },
  { method: ModelService.method.listModels, send: () => ({}) },
  { method: usage.getBudget, send: inSession() },
  { method: usage.setBudget, send: inSession({ limitUsd: 5 }) },
  { method: health.healthDetails, send: () => ({}) },
  { method: health.getVersion, send: () => ({}) },
  { method: admin.backup, send: ({ folder, name }) => ({ path: `${folder}/${name}.db` }) },
  { method: admin.createConsoleLink, send: () => ({}) },
  {
    method: admin.reloadSettings,
    send: () => ({}),
    code: Code.FailedPrecondition,
    text: "SETTINGS_UNUSABLE: this daemon was started without a settings file",
  },
  {
    method: tokens.createToken,
    send: ({ name }) => ({ name, scope: AccessScope.OBSERVE }),
    keep: ["token", idIn("token")],
  },
  { method: tokens.listTokens, send: () => ({}) },
  { method: tokens.revokeToken, send: ({ ids }) => ({ id: ids.get("token") }) },
  { method: AuditService.method.listAuditEntries, send: () => ({ pageSize: 5 }) },
  { method: NodeService.method.listNodes, send: () => ({}) },
  { method: NodeService.method.moveSession, send: inSession({ to: "another" }), ...ALONE },
  { method: NodeService.method.drainNode, send: () => ({}), ...ALONE },
  { method: NodeService.method.getPass, send: () => ({}), ...ALONE },
  { method: Health.method.check, send: () => ({}) },
  { method: Health.method.watch, send: () => ({}), ...LATE },
  ...[ServerReflection, ServerReflectionAlpha].map(
    ({ method }): Row => ({
      method: method.serverReflectionInfo,
      send: () => [
        { messageRequest: { case: "listServices", value: "" } },
        { messageRequest: { case: "fileContainingSymbol", value: SessionService.typeName } },
      ],
      answers: 2,
    }),
  ),
];

/** A call that is refused, and where. */
export interface Refused extends Omit<Row, "code" | "answers"> {
  readonly title: string;
  readonly code: Code | 0;
  readonly at?: (place: Place) => boolean;
  readonly as?: "nobody" | "somebody else" | "an observer";
  readonly path?: string;
  /** Bytes sent in place of the message. */
  readonly bytes?: Uint8Array;
  readonly host?: string;
  readonly contentType?: string;
}

const isPort = ({ name }: Place) => name !== "the socket";
const VERSION = { method: health.getVersion, send: () => ({}) };
const NO_SESSION = { code: Code.NotFound, text: "SESSION_NOT_FOUND: There is no session with that id." };
const BROKEN = Uint8Array.of(10, 200, 1, 65);
const isNoMessage = {
  code: Code.InvalidArgument,
  text: /^INVALID_ARGUMENT: the request is not a valid protobuf message: /,
  bytes: BROKEN,
} as const;
const HOST = { ...VERSION, title: "a host that is not a valid URL" };

/** The host names by which a place is known, as the error lists them. */
const KNOWN_AS =
  /^this daemon does not have that host name: it is known (?:as localhost:\d+, 127\.0\.0\.1:\d+ or \[::1\]:\d+|by the names in its certificate: localhost\b.*); for others, give it/;

/** Every way to be refused. */
export const REFUSALS: readonly Refused[] = [
  // As a header of gRPC this text would be longer than its official clients accept.
  {
    title: "a long folder name with letters that need escapes",
    method: session.createSession,
    send: () => ({ cwd: `/${"ü".repeat(4000)}` }),
    code: Code.InvalidArgument,
    text: /^INVALID_ARGUMENT: cwd: there is no folder \/ü{900,1000}…$/,
  },
  {
    ...VERSION,
    title: "no token",
    at: isPort,
    as: "nobody",
    code: Code.Unauthenticated,
    text: "send a token: Authorization: Bearer …",
  },
  {
    ...VERSION,
    title: "a wrong token",
    at: isPort,
    as: "somebody else",
    code: Code.Unauthenticated,
    text: "this token is wrong, expired or revoked",
  },
  {
    title: "a token with an insufficient scope",
    method: session.createSession,
    send: () => ({}),
    at: isPort,
    as: "an observer",
    code: Code.PermissionDenied,
    text: "FORBIDDEN: this requires the scope drive; yours is observe",
  },
  {
    ...VERSION,
    title: "an unknown method",
    path: "/agentwire.v1.SessionService/Nothing",
    code: Code.Unimplemented,
    text: "not found: /agentwire.v1.SessionService/Nothing",
  },
  {
    ...VERSION,
    title: "an unknown service",
    path: "/agentwire.v1.Nobody/Nothing",
    code: Code.Unimplemented,
    text: "not found: /agentwire.v1.Nobody/Nothing",
  },
  { ...isNoMessage, title: "an invalid message", method: session.getSession, send: () => ({}) },
  { ...isNoMessage, title: "an invalid message to a stream", method: session.watch, send: () => ({}) },
  {
    ...isNoMessage,
    title: "an invalid message to a bidirectional stream",
    method: session.converse,
    send: () => ({}),
  },
  {
    title: "a message over the size limit",
    method: session.renameSession,
    send: () => ({ title: "x".repeat(300_000) }),
    code: Code.ResourceExhausted,
    text: /larger than .*200000/,
  },
  {
    title: "an unknown session",
    method: session.getSession,
    send: () => ({ sessionId: "none" }),
    ...NO_SESSION,
  },
  {
    title: "a stream of an unknown session",
    method: session.watch,
    send: () => ({ sessionId: "none" }),
    ...NO_SESSION,
  },
  {
    ...VERSION,
    title: "an unsupported content type",
    contentType: "application/xml",
    code: Code.InvalidArgument,
    text: "this content type is not accepted here: send application/json, application/proto, application/grpc or application/grpc-web",
  },
  {
    ...HOST,
    at: isPort,
    host: "a%2Fb",
    code: Code.PermissionDenied,
    text: KNOWN_AS,
  },
  { ...HOST, at: (place) => !isPort(place), host: "a%2Fb", code: 0, text: "" },
  {
    ...VERSION,
    title: "a host with an impossible port",
    at: isPort,
    host: "localhost:99999",
    code: Code.PermissionDenied,
    text: KNOWN_AS,
  },
];

/** Whether there were as many answers as a row expects. */
export const isEnough = ({ answers = 1, code }: Row, came: readonly Message[]) =>
  code === undefined || code === Code.DeadlineExceeded ? came.length >= answers : came.length === 0;

/** Whether a client can send that: the clients of gRPC and Connect set much of a request themselves. */
export function canSend(client: string, place: string, { bytes, contentType, host }: Refused): boolean {
  const isGrpc = client.startsWith("grpc");
  const isConnect = client.startsWith("Connect");
  if (contentType !== undefined) return !isGrpc && !isConnect;
  if (bytes !== undefined) return !isConnect;
  // gRPC clients check the given host against the certificate first, and fail before the call.
  return host === undefined || !(isConnect || (isGrpc && place === "a port with TLS"));
}
