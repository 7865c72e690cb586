import { jsonLog, type Log, redactor, secretsIn } from "@agentwire/protocol/support";
import type { ConnectRouter } from "@connectrpc/connect";
import { Admission, admitOwner } from "./access/admission.ts";
import { OWNER } from "./access/identity.ts";
import { LoginLog } from "./access/login-log.ts";
import { boundary } from "./boundary.ts";
import { isOfThisMachine, isSharedFolder } from "./cluster/cluster-settings.ts";
import type { DaemonConfig } from "./config.ts";
import { Daemon } from "./daemon.ts";
import { DaemonError } from "./errors.ts";
import { secureFiles, secureFolder } from "./folder.ts";
import { type Handler, type Listener, listen } from "./http/front.ts";
import { guardedSocket } from "./http/guard.ts";
import { knownAtSocket } from "./http/names.ts";
import { tokenOf } from "./http/token.ts";
import { redactingLog } from "./log.ts";
import { readManagedRules } from "./permission/managed-rules.ts";
import { type OpenPort, openPort, type Port, portError, portsOf } from "./ports/ports.ts";
import { SignIn } from "./ports/sign-in.ts";
import { withMetrics } from "./prometheus/endpoint.ts";
import { connectHandler } from "./rpc/adapter.ts";
import { deadlines } from "./rpc/deadline.ts";
import { forwarding } from "./rpc/forwarding.ts";
import { observed } from "./rpc/observed.ts";
import { failures, peerRoutes, routes } from "./rpc/routes.ts";
import { storeGuard } from "./rpc/store-guard.ts";
import { textLimits } from "./rpc/text-limits.ts";
import { SettingsError } from "./settings-error.ts";
import { Housekeeping } from "./store/housekeeping.ts";
import { openStore } from "./store/open-store.ts";
import { Retention } from "./store/retention.ts";
import { findTracing } from "./tracing/tracing.ts";
import { VERSION } from "./version.ts";

/** A daemon that is listening, and how to stop it. */
export interface RunningDaemon {
  readonly daemon: Daemon;
  /** The addresses it listens on, the socket first. Ports may be added while it runs. */
  readonly addresses: readonly string[];
  /** Called after a port was added. */
  onPort: () => void;
  /** The token that clients of the ports have to send. */
  readonly token: string;
  /** A startup notice about the agent that sessions run with; usually empty. */
  readonly notice: string;
  /** Reloads the certificates of its ports for new connections. If one can't be used, this is logged and the old one stays. */
  renew(): void;
  /** Stops accepting work, waits up to `drainMs` for running turns (`hurry` cuts this short), ends the agents and flushes the store. */
  stop(drainMs?: number, hurry?: AbortSignal): Promise<void>;
}

/** How often expired data is deleted. */
const HOUSEKEEPING_MS = 3_600_000;

/**
 * Starts a daemon; `stop` undoes these steps in reverse order. Rejects with `AgentUnusable`, `StoreError`, or the
 * system's error for the socket; the message says what to do.
 */
export async function startDaemon(
  config: DaemonConfig,
  openLog: Log = jsonLog((line) => void process.stderr.write(line), "info"),
): Promise<RunningDaemon> {
  const ports = portsOf(config);
  const managed = readManagedRules(config.managedRulesPath);
  secureFolder(config.folder);
  secureFiles(config.folder, openLog);
  const token = tokenOf(config.folder);
  const redact = redactor([
    token,
    ...passwordIn(config.storeUrl),
    ...[config.env, ...config.agents.map(({ env }) => env ?? {})].flatMap(secretsIn),
  ]);
  const log = redactingLog(openLog, redact);
  const { cluster } = config;
  const node = {
    name: cluster.name,
    version: VERSION,
    isShared: isSharedFolder(cluster),
    sharesFolders: cluster.sharedFolders.length + cluster.gitFolders.length > 0,
  };
  const store = await openStore(config, node, log);
  const daemon = await Daemon.open(config, store, { log, redact, tracing: await findTracing() });
  daemon.rules.manage(managed);
  const retention = new Retention({ ...daemon, limits: () => daemon.config.retention });
  const housekeeping = new Housekeeping(
    retention,
    log,
    boundary((error) => daemon.report("daemon", error)),
    HOUSEKEEPING_MS,
  );
  const listeners: Listener[] = [];
  let nodePort: Listener | undefined;
  const end = async (drainMs: number, hurry?: AbortSignal) => {
    daemon.health.stopping();
    if (drainMs > 0) await daemon.registry.drain(drainMs, hurry);
    await daemon.registry.close("the daemon is stopping");
    await daemon.agents.close();
    daemon.cluster?.close("the daemon is stopping");
    await Promise.all([...listeners, ...(nodePort ? [nodePort] : [])].map((listener) => listener.close()));
    await Promise.all([housekeeping.stop(), daemon.indexer.stop()]);
    await store.close();
  };
  let stopping: Promise<void> | undefined;
  const stop = (drainMs = 0, hurry?: AbortSignal) => {
    stopping ??= end(drainMs, hurry);
    return stopping;
  };
  try {
    const { notice } = await daemon.agents.mustBeUsable();
    await daemon.processRecords.waitForLeftovers();
    // Do not start sessions whose events can't be stored.
    if (!store.failure) await daemon.registry.start();
    const handler = handlerOf(daemon, routes(daemon), log);
    const peers = daemon.cluster && handlerOf(daemon, peerRoutes(daemon), log);
    const now = () => Date.now();
    const logins = new LoginLog({ ...daemon, now });
    const admission = new Admission({
      ...{ ...daemon, ...config, token, logins, now },
      passKey: daemon.cluster?.nodes.key,
    });
    const signIn = new SignIn({ ...daemon, token, logins, now });
    listeners.push(
      await listen(
        { path: config.socketPath },
        guardedSocket(handler, knownAtSocket, admitOwner),
        daemon.report,
      ),
    );
    const opened: OpenPort[] = [];
    if (daemon.cluster) daemon.cluster.localAddress = () => opened.find(isLocal)?.address;
    if (peers) nodePort = await daemon.cluster?.open(peers, daemon.report);
    const open = async (wanted: Port) => {
      const port = await openPort(wanted, {
        ...{ handler, admission, signIn, report: daemon.report },
        origins: () => daemon.cluster?.origins ?? NO_ORIGINS,
      });
      listeners.push(port);
      opened.push(port);
      return port.address;
    };
    for (const wanted of ports) await open(wanted);
    const running: RunningDaemon = {
      daemon,
      token,
      notice,
      get addresses() {
        return listeners.map(({ address }) => address);
      },
      onPort: () => {},
      renew: () => {
        for (const port of opened) renewed(port, log);
      },
      stop,
    };
    daemon.consoleLink = (caller, maker = OWNER, address = opened[0]?.address) => {
      const port = opened.find((port) => port.address === address);
      return port && signIn.link(port.urls, maker, caller);
    };
    daemon.openPort = async (port) => {
      if (stopping) throw new DaemonError("SHUTTING_DOWN");
      const known = opened.find(({ address }) => new URL(address).port === String(port));
      if (known) return known.address;
      const [wanted] = portsOf({ port, listen: [] });
      const address = await open(wanted as Port).catch((error: unknown) =>
        Promise.reject(portError(error, port)),
      );
      log.info("the daemon also listens on another port", { address });
      running.onPort();
      return address;
    };
    log.info("the daemon is listening", { addresses: running.addresses });
    daemon.agents.look();
    return running;
  } catch (error) {
    await stop();
    throw error;
  }
}

const NO_ORIGINS: ReadonlySet<string> = new Set();
const isLocal = ({ address }: OpenPort) => isOfThisMachine(address);

/** The password in a database URL, which must not be logged. */
function passwordIn(url: string | undefined): readonly string[] {
  // Not parsed as a URL, since it may name several servers.
  const [, password = ""] = /^\w+:\/\/[^:@/?#]*:([^@/?#]*)@/.exec(url ?? "") ?? [];
  return password === "" ? [] : [password, decodeURIComponent(password)];
}

function handlerOf(daemon: Daemon, services: (router: ConnectRouter) => void, log: Log): Handler {
  const failed = (error: unknown, request_id?: string) =>
    daemon.report("request", error, request_id ? { request_id } : {});
  const general = connectHandler(
    services,
    {
      interceptors: [
        ...[observed(daemon.metrics, log, daemon.presence), failures(daemon.redact, failed)],
        ...[deadlines, textLimits, forwarding(daemon), storeGuard(daemon)],
      ],
      // Compressing data that never leaves the machine costs more than it saves.
      acceptCompression: [],
      readMaxBytes: daemon.config.maxPayloadBytes,
    },
    failed,
  );
  return withMetrics(daemon, general);
}

function renewed({ address, renew }: OpenPort, log: Log): void {
  try {
    const until = renew();
    if (until !== undefined) log.info("a certificate was reloaded", { address, until });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    log.error("a certificate could not be used; the old one stays in use", { address, error });
  }
}
