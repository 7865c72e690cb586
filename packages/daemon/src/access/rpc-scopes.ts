import {
  AdminService,
  AuditService,
  type ConverseRequest,
  type DecideRequest,
  Health,
  HealthService,
  ModelService,
  NodeService,
  PresenceService,
  PushService,
  QuestionService,
  RuleService,
  ServerReflection,
  ServerReflectionAlpha,
  SessionService,
  TokenService,
  ToolingService,
  UsageService,
  WorkspaceService,
} from "@agentwire/api";
import type { Scope } from "./scope.ts";

interface Service {
  readonly typeName: string;
  readonly method: Readonly<Record<string, { readonly name: string }>>;
}

/** The scope for every method of a service; the compiler reports missing ones. */
type Needs<S extends Service> = Readonly<Record<keyof S["method"], Scope>>;

const pathsOf = <S extends Service>({ typeName, method }: S, needs: Needs<S>): readonly [string, Scope][] =>
  Object.entries(method).map(([key, { name }]) => [`/${typeName}/${name}`, needs[key as keyof S["method"]]]);

/** What each RPC needs, by its path. */
export const RPC_SCOPES: ReadonlyMap<string, Scope> = new Map([
  ...pathsOf(SessionService, {
    createSession: "drive",
    inspectFolder: "drive",
    listSessions: "observe",
    searchSessions: "observe",
    getSession: "observe",
    renameSession: "drive",
    markSession: "drive",
    deleteSession: "drive",
    restoreSession: "drive",
    forkSession: "drive",
    // Conversations of other programs are only for clients that could also have an agent read them.
    listLocalSessions: "drive",
    adoptSession: "drive",
    sendPrompt: "drive",
    cancelPrompt: "drive",
    movePrompt: "drive",
    interrupt: "drive",
    setModel: "drive",
    setMode: "drive",
    setEffort: "drive",
    // MCP servers are programs that are started without asking.
    setMcpServers: "admin",
    rewind: "drive",
    getWorktree: "observe",
    endWorktree: "drive",
    listEvents: "observe",
    listRawLines: "observe",
    watch: "observe",
    // Each command in it is checked separately.
    converse: "observe",
    takeInput: "drive",
    releaseInput: "drive",
    requestInput: "drive",
    handOverInput: "drive",
  }),
  ...pathsOf(QuestionService, { listQuestions: "observe", decide: "answer", answer: "answer" }),
  ...pathsOf(RuleService, {
    listRules: "observe",
    setRule: "drive",
    removeRule: "drive",
    explain: "observe",
  }),
  // A client that is subject to a budget must not raise it, nor use it up for others.
  ...pathsOf(UsageService, {
    listUsage: "observe",
    getBudget: "observe",
    setBudget: "admin",
    bookUsage: "admin",
  }),
  // Listing models uses the user's API keys.
  ...pathsOf(ModelService, { listModels: "drive" }),
  // File names are only for clients that could also have an agent read them.
  ...pathsOf(WorkspaceService, {
    findFiles: "drive",
    listFiles: "drive",
    readFile: "drive",
    listFolders: "drive",
    listCommands: "drive",
    getContext: "observe",
    getTaskOutput: "observe",
    stopTask: "drive",
    getChanges: "observe",
    stageFiles: "drive",
    commitChanges: "drive",
    revertChange: "drive",
  }),
  // Agents run what these files name without asking.
  ...pathsOf(ToolingService, {
    listMcpServers: "drive",
    setMcpServer: "admin",
    removeMcpServer: "admin",
    reconnectMcpServer: "drive",
    listHooks: "drive",
    addHook: "admin",
    removeHook: "admin",
    matchHooks: "drive",
  }),
  ...pathsOf(PresenceService, { attend: "observe" }),
  // A subscription keeps receiving messages even after the token that created it was revoked.
  ...pathsOf(PushService, {
    getPushKey: "admin",
    subscribe: "admin",
    unsubscribe: "admin",
    testPush: "admin",
  }),
  ...pathsOf(HealthService, { healthDetails: "observe", getVersion: "observe" }),
  ...pathsOf(AdminService, { backup: "admin", createConsoleLink: "admin", reloadSettings: "admin" }),
  ...pathsOf(TokenService, { listTokens: "admin", createToken: "admin", revokeToken: "admin" }),
  ...pathsOf(AuditService, { listAuditEntries: "admin" }),
  ...pathsOf(NodeService, {
    listNodes: "observe",
    moveSession: "drive",
    drainNode: "admin",
    getPass: "observe",
  }),
  ...pathsOf(Health, { check: "observe", watch: "observe" }),
  ...pathsOf(ServerReflection, { serverReflectionInfo: "observe" }),
  ...pathsOf(ServerReflectionAlpha, { serverReflectionInfo: "observe" }),
]);

/** The scope for each page that is not public, by its path. */
export const PAGE_SCOPES: ReadonlyMap<string, Scope> = new Map([["/metrics", "observe"]]);

/** The scope that a path needs; unknown paths need `admin`, so that other clients can't probe for paths. */
export const scopeOfPath = (path: string): Scope => RPC_SCOPES.get(path) ?? PAGE_SCOPES.get(path) ?? "admin";

/** The scope that each command on a stream needs: the same as its own RPC. */
export const COMMAND_SCOPES: Readonly<Record<NonNullable<ConverseRequest["command"]["case"]>, Scope>> = {
  watch: "observe",
  sendPrompt: "drive",
  interrupt: "drive",
  decide: "answer",
  answer: "answer",
  takeInput: "drive",
  releaseInput: "drive",
  requestInput: "drive",
  handOverInput: "drive",
};

/** The scope for a decision: saving a rule affects other sessions, and changing the call is like making a new one. */
export const scopeOfDecision = ({ decision }: DecideRequest): Scope =>
  decision.case === "allow" &&
  (decision.value.lasting.case === "always" || decision.value.updatedInputJson !== "")
    ? "drive"
    : "answer";
