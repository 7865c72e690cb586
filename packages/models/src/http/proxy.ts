/** Environment variables. */
type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const isThisMachine = (hostname: string): boolean => LOOPBACK.test(hostname);

/** The proxy for requests to an address, from the usual variables; undefined for none. Addresses on this machine never use one. */
export function proxyFor({ protocol, hostname, port }: URL, env: Environment): URL | undefined {
  const names = protocol === "https:" ? ["HTTPS_PROXY", "https_proxy"] : ["HTTP_PROXY", "http_proxy"];
  const given = [...names, "ALL_PROXY", "all_proxy"].map((name) => env[name]).find(Boolean);
  if (!given || isThisMachine(hostname)) return undefined;
  const usualPort = protocol === "https:" ? "443" : "80";
  const exceptions = (env.NO_PROXY ?? env.no_proxy ?? "").split(/[\s,]+/).filter(Boolean);
  if (exceptions.some((exception) => isMeant(exception, hostname, port || usualPort))) return undefined;
  return new URL(/^\w+:\/\//.test(given) ? given : `http://${given}`);
}

/** `*`, a host, a domain with a dot or `*.` in front, or one of these with a port. */
function isMeant(exception: string, hostname: string, port: string): boolean {
  if (exception === "*") return true;
  const [, name = "", own] = /^(.*?)(?::(\d+))?$/.exec(exception.toLowerCase()) ?? [];
  if (own !== undefined && own !== port) return false;
  const domain = name.replace(/^\*?\./, "");
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
