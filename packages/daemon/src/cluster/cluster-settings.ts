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

/** What a daemon is told of its part in a cluster. */
export interface ClusterConfig {
  /** What people call this node. */
  readonly name: string;
  /** Where other nodes reach it: a host of this machine, and a port, 0 for any that is free. */
  readonly listen: HostPort;
  /** The same as other machines know it, as `host:port`; undefined where that is the same. */
  readonly address: string | undefined;
  /** Where clients of other machines reach it, as an origin; undefined where they are not told. */
  readonly clientAddress: string | undefined;
  /** Folders that are the same on every node: any of them can continue a session there. */
  readonly sharedFolders: readonly string[];
  /** Folders of git repositories: the files of sessions there are kept in the store after each turn, for any node to continue with. */
  readonly gitFolders: readonly string[];
}

interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** The same as a settings file says it. */
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
          'an address as in "https://node-1.example:7433"',
          (value) => originOf(value) !== undefined,
        ),
      ),
      shared_folders: optional(texts("a list of absolute paths of folders", isAbsolute)),
      git_folders: optional(texts("a list of absolute paths of folders", isAbsolute)),
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

/** Whether any node can continue with sessions in a folder. */
export const isSharedFolder =
  ({ sharedFolders }: ClusterConfig) =>
  (cwd: string): boolean =>
    sharedFolders.some((shared) => isWithin(cwd, shared));

function hostPortOf(text: string): HostPort | undefined {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:\s]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

/** The origin that an address is; undefined unless it is one that clients may send what proves them to. */
function originOf(value: unknown): string | undefined {
  const url = typeof value === "string" ? parseUrl(value) : undefined;
  if (url?.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") return undefined;
  return url.protocol === "https:" || isOfThisMachine(url.origin) ? url.origin : undefined;
}

/** Whether an address without TLS leads to this machine, as each machine understands it for itself. */
export const isOfThisMachine = (origin: string): boolean =>
  /^http:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d+)?$/.test(origin);
