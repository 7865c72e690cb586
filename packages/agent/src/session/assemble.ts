import { resolve } from "node:path";
import { policyFolder } from "@agentwire/local/settings";
import { isJsonObject } from "@agentwire/protocol";
import { copyCheckpoints } from "../checkpoint/checkpoints.ts";
import type { Config } from "../config/config.ts";
import { modelSources } from "../config/model-sources.ts";
import type { HostLink } from "../host/host-link.ts";
import type { LongTermMemory } from "../memory/long-term-memory.ts";
import { chooseModel } from "../model/choose-model.ts";
import { LiveModel } from "../model/live-model.ts";
import type { Settings } from "../settings/settings.ts";
import { fileStore } from "../store/files.ts";
import { copyHistory } from "../store/load.ts";
import type { Opening } from "../store/open-conversation.ts";
import type { Store } from "../store/store.ts";
import { checkSchema } from "../tools/session/structured-output.ts";
import { Baton } from "./baton.ts";
import type { Runtime } from "./runtime.ts";
import { buildSession } from "./session-build.ts";
import { settingsOf, withSettingsEnv } from "./session-settings.ts";

/** An agent that is ready to serve, with what its surroundings have to tell it. */
export interface ReadyAgent {
  readonly kind: "ready";
  readonly runtime: Runtime;
  /** Ends everything the session started. */
  close(): Promise<void>;
}

/** Why an agent refuses to start; `code` is the wire's name for it, where it has one. */
export interface Refusal {
  readonly kind: "refused";
  readonly reason: string;
  readonly code?: string;
}

/** An agent, or why it refuses to start. */
export type Assembled = ReadyAgent | Refusal;

/** What a session may have from outside. */
export interface Surroundings {
  /** Where it is kept; as files unless said otherwise. */
  readonly store?: Store;
  /** Shared by sessions that take turns. */
  readonly baton?: Baton;
  /** Shared by sessions that talk to the same model. */
  readonly choose?: typeof chooseModel;
  /** Shared by the sessions of a database. */
  readonly memory?: LongTermMemory;
}

/** Puts an agent together: what it is told to be, what it remembers, which model it talks to, and then the session itself. */
export async function assemble(
  given: Config,
  host: HostLink,
  complain: (text: string) => void,
  { store = fileStore(given), baton = new Baton(), choose = chooseModel, memory }: Surroundings = {},
): Promise<Assembled> {
  if (given.jsonSchema !== undefined) await checkSchema(given.jsonSchema);
  const settings = await settingsOf(given);
  for (const { path, message } of settings.errors) complain(`agentwire-agent: ${path}: ${message}\n`);
  const unsafe = checkGiven(given, settings) ?? checkSandbox(settings, complain);
  if (unsafe) return unsafe;
  const config = withSettingsEnv(given, settings);
  const [opening, choice] = await Promise.all([store.open(), choose(modelSources(config))]);
  if (opening.kind === "refused") return opening;
  if (choice.kind === "offline")
    complain(
      "agentwire-agent: no API key is set, so the offline model answers; set ANTHROPIC_API_KEY to talk to Claude\n",
    );
  const model = new LiveModel(choice.model);
  const { runtime, close } = await buildSession({
    config,
    host,
    settings,
    opening,
    model,
    complain,
    store,
    baton,
    memory,
    consolidates: choice.kind !== "offline",
  });
  await takeOver(opening, runtime);
  return { kind: "ready", runtime, close };
}

/** Settings that were asked for and can't be read at all may have forbidden something: nothing runs without them. */
function checkGiven({ flags, cwd }: Config, { errors }: Settings): Refusal | undefined {
  const flag = flags.text("settings");
  const flagPaths = flag ? ["--settings", resolve(cwd, flag)] : [];
  const isPolicy = (path: string) => path === "--managed-settings" || path.startsWith(policyFolder());
  const whole = errors.filter(({ key }) => key === undefined);
  const policy = whole.find(({ path }) => isPolicy(path));
  const fault = policy ?? whole.find(({ path }) => flagPaths.includes(path));
  if (!fault) return undefined;
  const reason = `The settings of ${fault.path} can't be used: it ${fault.message}.`;
  return { kind: "refused", reason, ...(policy && { code: "managed_settings_invalid" }) };
}

/** Commands run as they are here: whoever relies on a sandbox is told so before anything runs. */
function checkSandbox({ effective }: Settings, complain: (text: string) => void): Refusal | undefined {
  const { sandbox } = effective;
  if (!isJsonObject(sandbox) || sandbox.enabled !== true) return undefined;
  if (sandbox.failIfUnavailable === true)
    return {
      kind: "refused",
      reason: "The settings require a sandbox (sandbox.failIfUnavailable), and this agent has none.",
      code: "sandbox_required_unavailable",
    };
  complain(
    "agentwire-agent: the settings enable a sandbox; this agent has none and runs commands without it\n",
  );
  return undefined;
}

/** A fork begins with copies of what the session that it comes from had. */
async function takeOver(
  { earlier, copied, sessionId }: Opening & { kind: "open" },
  runtime: Runtime,
): Promise<void> {
  if (!earlier || copied.length === 0) return;
  const { records, putOff } = runtime.session.parts;
  copyHistory(copied, records.main);
  if (earlier.putOff) putOff.keep(earlier.putOff);
  await copyCheckpoints(runtime.config.configDir, earlier.sessionId, sessionId);
}
