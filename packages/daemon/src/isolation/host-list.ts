import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { closedAddresses, isThisMachine } from "@agentwire/local/sandbox";

/** The destination of a connection. */
export interface Target {
  /** In lower case, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The ports that an entry without a port allows. */
const USUAL_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** The hosts that an isolated agent may reach: that of its API, and those in the settings. */
export class HostList {
  readonly api: Target;
  readonly #allowed: readonly string[];

  constructor(api: URL, allowed: readonly string[]) {
    this.api = {
      host: plain(api.hostname),
      port: Number(api.port || (api.protocol === "https:" ? 443 : 80)),
    };
    this.#allowed = allowed.map((name) => name.toLowerCase());
  }

  /** Whether a connection to the target is allowed. */
  allows(target: Target): boolean {
    return this.#isApi(target) || this.#allowed.some((entry) => isMeant(entry, target));
  }

  /** Resolves a name, but never to this machine or to a metadata service, unless the settings name this machine explicitly. */
  lookupFor(target: Target): LookupFunction {
    const isOpen = isThisMachine(target.host);
    return (name, options, callback) => {
      lookup(name, { ...options, all: true }, (error, addresses) => {
        const usable = error ? [] : addresses.filter((address) => isOpen || !isClosed(address));
        const [first] = usable;
        if (!first) callback(error ?? new Error(`${name} leads to this machine`), "");
        else if (options.all) callback(null, usable);
        else callback(null, first.address, first.family);
      });
    };
  }

  #isApi({ host, port }: Target): boolean {
    return host === this.api.host && port === this.api.port;
  }
}

/** Reads `host:port`; undefined for anything else. */
export function targetOf(text: string, usualPort?: number): Target | undefined {
  const [, six, name, port] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = plain(six ?? name ?? "");
  const number = port === undefined ? usualPort : Number(port);
  return host !== "" && number !== undefined && number <= 65_535 ? { host, port: number } : undefined;
}

const plain = (host: string) => host.toLowerCase().replace(/^\[|\]$|\.$/g, "");

function isMeant(entry: string, { host, port }: Target): boolean {
  const [, name = "", own] = /^(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  if (own === undefined ? !USUAL_PORTS.has(port) : Number(own) !== port) return false;
  return name.startsWith("*.") ? isIP(host) === 0 && host.endsWith(name.slice(1)) : plain(name) === host;
}

function isClosed({ address, family }: LookupAddress): boolean {
  const closed = new BlockList();
  for (const range of closedAddresses()) {
    const [net = "", bits = ""] = range.split("/");
    closed.addSubnet(net, Number(bits), isIP(net) === 6 ? "ipv6" : "ipv4");
  }
  return closed.check(address, family === 6 ? "ipv6" : "ipv4");
}
