/**
 * Splits a URL with several servers into one URL for each: `postgres://a,b:5433/db`, or with sockets `?host=/a,/b`, as PostgreSQL's own
 * programs read them. One of them is the primary, the others are its standbys.
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

/** A URL without its secrets. */
export function placeOf(url: string): string {
  try {
    const [first, ...more] = serversIn(url).map((one) => new URL(one));
    const { protocol, pathname } = first as URL;
    return `${protocol}//${[first as URL, ...more].map(({ host }) => host).join(",")}${pathname}`;
  } catch {
    return "the PostgreSQL server";
  }
}
