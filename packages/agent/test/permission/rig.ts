import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { silentLog } from "@agentwire/protocol/support";
import { onTestFinished } from "vitest";
import type { CanUseTool } from "../../src/permission/can-use-tool.ts";
import { createGate, type GateOptions } from "../../src/permission/create-gate.ts";
import type { Gate, PermissionDecision, PermissionQuestion } from "../../src/permission/gate.ts";
import { Sandbox } from "../../src/sandbox/sandbox.ts";
import { loadSettings } from "../../src/settings/load.ts";
import type { Settings } from "../../src/settings/settings.ts";
import type { Tool } from "../../src/tools/tool.ts";
import type { Workspace } from "../../src/tools/workspace.ts";

/** A folder with a project, a home and a place outside both. */
export interface Places {
  readonly project: string;
  readonly home: string;
  readonly outside: string;
  readonly output: string;
}

/** Creates the folders of a test; they are removed when it ends. */
export function makePlaces(): Places {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-permission-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const places = {
    project: join(base, "project"),
    home: join(base, "home"),
    outside: join(base, "outside"),
    output: join(base, "output"),
  };
  for (const folder of Object.values(places)) mkdirSync(folder);
  put(join(places.project, "a.txt"));
  put(join(places.project, "sub/b.txt"));
  put(join(places.outside, "secret.txt"));
  put(join(places.output, "long.txt"));
  symlinkSync(places.outside, join(places.project, "way-out"));
  symlinkSync(join(places.outside, "new.txt"), join(places.project, "dangling"));
  symlinkSync(places.project, join(places.outside, "way-in"));
  return places;
}

/** Writes a file with its folders. */
export function put(path: string, content = "text\n"): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

type Ask = GateOptions["ask"];

/** A gate in real folders, with a record of its questions. */
export interface Rig extends Places {
  readonly gate: Gate;
  readonly sandbox: Sandbox;
  readonly settings: Settings;
  readonly asked: readonly CanUseTool[];
  readonly modes: readonly string[];
  decide(name: string, input: JsonObject, more?: Partial<PermissionQuestion>): Promise<PermissionDecision>;
}

/** Options of a test for its gate. */
export interface RigOptions extends Partial<Omit<GateOptions, "settings" | "cwd" | "home" | "log">> {
  readonly places?: Places;
  /** Settings by the file they are written to. */
  readonly user?: JsonObject;
  readonly projectSettings?: JsonObject;
  readonly local?: JsonObject;
  readonly managed?: JsonObject;
  readonly sources?: string;
  /** Whether the user trusts the project; true by default. */
  readonly isTrusted?: boolean;
}

const READ_ONLY = new Set(["Read", "Glob", "Grep", "WebFetch", "AskUserQuestion"]);

/** A tool of which only the name and kind matter. */
export function toolNamed(name: string): Tool {
  return {
    name,
    description: "",
    inputSchema: { type: "object" },
    isReadOnly: () => READ_ONLY.has(name),
    describe: (input) => (typeof input.description === "string" ? input.description : undefined),
    run: async () => ({ content: "" }),
  };
}

/** Creates a gate with real settings files. */
export async function makeRig(options: RigOptions = {}): Promise<Rig> {
  const { places = makePlaces(), user, projectSettings, local, managed, sources, ask, ...others } = options;
  const { isTrusted = true, ...rest } = others;
  const { project, home, output } = places;
  const configDir = join(home, ".claude");
  const policyFolder = join(home, "etc");
  const files = [
    [join(configDir, "settings.json"), user],
    [join(project, ".claude/settings.json"), projectSettings],
    [join(project, ".claude/settings.local.json"), local],
    [join(policyFolder, "managed-settings.json"), managed],
  ] as const;
  for (const [path, settings] of files) if (settings) put(path, JSON.stringify(settings));
  const asked: CanUseTool[] = [];
  const modes: string[] = [];
  const answer: Ask = ask ?? (async () => ({ behavior: "deny", message: "no" }));
  const settings = await loadSettings({
    cwd: project,
    configDir,
    policyFolder,
    sources,
    home,
    userFile: join(home, ".claude.json"),
    trusted: isTrusted ? [project] : [],
  });
  const sandbox = new Sandbox({
    settings,
    cwd: project,
    home,
    configDir,
    env: {},
    folder: join(output, "sandbox"),
    rules: () => gate.rules,
    sharesProcess: false,
    ask: (host) => gate.allowsHost(host),
  });
  const gate: Gate = createGate({
    settings,
    sandbox,
    cwd: project,
    home,
    allowBypass: false,
    allowedTools: [],
    disallowedTools: [],
    additionalDirectories: [],
    hasHost: true,
    prompts: "host",
    log: silentLog,
    onModeChanged: (mode) => modes.push(mode),
    ...rest,
    ask: (request, signal) => {
      asked.push(request);
      return answer(request, signal);
    },
  });
  const workspace = { cwd: project, home, outputFolder: output, roots: [project] } as unknown as Workspace;
  const decide: Rig["decide"] = (name, input, more) =>
    gate.decide({
      tool: toolNamed(name),
      input,
      callId: "toolu_1",
      signal: new AbortController().signal,
      workspace,
      ...more,
    });
  return { ...places, gate, sandbox, settings, asked, modes, decide };
}

/** The outcome of a call at a gate: `ask` if the host was asked. */
export async function outcome(rig: Rig, name: string, input: JsonObject, more?: Partial<PermissionQuestion>) {
  const before = rig.asked.length;
  const decision = await rig.decide(name, input, more);
  return rig.asked.length > before ? "ask" : decision.behavior;
}
