/**
 * The servers that an address names, one address each: those of `postgres://a,b:5433/db`, or with sockets of `?host=/a,/b`, as the programs of
 * PostgreSQL read it. One of them is the primary, the others are its standbys.
 */
export function serversIn(url: string): readonly [string, ...string[]] {
  const [, start = "", hosts = "", path = "", query = ""] =
    /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(.*)$/.exec(url) ?? [];
  const [, before = "", sockets = "", after = ""] = /^(.*[?&]host=)([^&]*)(.*)$/.exec(query) ?? [];
  const [first = url, ...more] =
    sockets === ""
      ? hosts.split(",").map((host) => start + host + path + query)
      : decodeURIComponent(sockets)
          .split(",")
          .map((host) => start + hosts + path + before + encodeURIComponent(host) + after);
  return [first, ...more];
}

/** An address without what is secret in it. */
export function placeOf(url: string): string {
  try {
    const [first, ...more] = serversIn(url).map((one) => new URL(one));
    const { protocol, pathname } = first as URL;
    return `${protocol}//${[first as URL, ...more].map(({ host }) => host).join(",")}${pathname}`;
  } catch {
    return "the PostgreSQL server";
  }
}
