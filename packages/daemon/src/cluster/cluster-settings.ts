import { isAbsolute } from "node:path";
import {
  called,
  closed,
  filled,
  object,
  optional,
  type Schema,
  scalar,
  texts,
} from "@agentwire/protocol/schema";
import { parseUrl } from "@agentwire/protocol/support";
import { listed } from "../isolation/isolation-settings.ts";
import { isWithin } from "../permission/folder-name.ts";

/** The configuration of a daemon as a node of a cluster. */
export interface ClusterConfig {
  /** The name of this node. */
  readonly name: string;
  /** Where it listens for other nodes: a host of this machine and a port; 0 picks a free one. */
  readonly listen: HostPort;
  /** The address that other machines use for it, as `host:port`; undefined if it is the same. */
  readonly address: string | undefined;
  /** The origin at which clients on other machines reach it; undefined if it is not announced. */
  readonly clientAddress: string | undefined;
  /** Folders that are the same on every node, so that any node can continue a session there. */
  readonly sharedFolders: readonly string[];
  /** Folders of git repositories: the files of sessions there are stored after each turn, so that any node can continue with them. */
  readonly gitFolders: readonly string[];
}

interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** The same in the spelling of a settings file. */
interface ClusterSettings {
  readonly name?: string | undefined;
  readonly listen?: string | undefined;
  readonly address?: string | undefined;
  readonly client_address?: string | undefined;
  readonly shared_folders?: string | readonly string[] | undefined;
  readonly git_folders?: string | readonly string[] | undefined;
}

const isHostPort = (value: unknown) => typeof value === "string" && hostPortOf(value) !== undefined;

/** `cluster` in a settings file. */
export const CLUSTER: Schema<ClusterSettings> = called(
  "an object",
  closed(
    object({
      name: optional(called("a name for this node", filled)),
      listen: optional(scalar<string>('host:port, as in "10.0.0.5:7790"', isHostPort)),
      address: optional(scalar<string>('host:port, as in "node-1.example:7790"', isHostPort)),
      client_address: optional(
        scalar<string>(
          'an address, as in "https://node-1.example:7433"',
          (value) => originOf(value) !== undefined,
        ),
      ),
      shared_folders: optional(texts("a list of absolute folder paths", isAbsolute)),
      git_folders: optional(texts("a list of absolute folder paths", isAbsolute)),
    }),
  ),
);

/** The part of a configuration that `cluster` in a settings file describes. */
export function clusterConfig(given: ClusterSettings = {}, before: ClusterConfig): ClusterConfig {
  const { name = before.name, listen, address = before.address, shared_folders: folders } = given;
  const { client_address: clients, git_folders: repositories } = given;
  return {
    name,
    listen: (listen === undefined ? undefined : hostPortOf(listen)) ?? before.listen,
    address,
    clientAddress: clients === undefined ? before.clientAddress : originOf(clients),
    sharedFolders: folders === undefined ? before.sharedFolders : listed(folders),
    gitFolders: repositories === undefined ? before.gitFolders : listed(repositories),
  };
}

/** Whether any node can continue sessions in a folder. */
export const isSharedFolder =
  ({ sharedFolders }: ClusterConfig) =>
  (cwd: string): boolean =>
    sharedFolders.some((shared) => isWithin(cwd, shared));

function hostPortOf(text: string): HostPort | undefined {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:\s]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

/** The origin of an address; undefined unless clients may safely send their credentials to it. */
function originOf(value: unknown): string | undefined {
  const url = typeof value === "string" ? parseUrl(value) : undefined;
  if (url?.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") return undefined;
  return url.protocol === "https:" || isOfThisMachine(url.origin) ? url.origin : undefined;
}

/** Whether an origin without TLS names the machine on which it is used. */
export const isOfThisMachine = (origin: string): boolean =>
  /^http:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d+)?$/.test(origin);
