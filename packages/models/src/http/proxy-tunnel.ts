import { once } from "node:events";
import type { Agent } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Opens connections to a server through a proxy, which forwards the bytes and can't read encrypted ones. */
export async function tunnelAgent(proxy: URL, isSecure: boolean): Promise<Agent> {
  const [http, https, tls] = await Promise.all([
    import("node:http"),
    import("node:https"),
    import("node:tls"),
  ]);
  const { request } = proxy.protocol === "https:" ? https : http;
  const open = async (host: string, port: number): Promise<Duplex> => {
    const asked = request({
      hostname: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: `${host}:${port}`,
      headers: { host: `${host}:${port}`, ...credentialsOf(proxy) },
      agent: false,
    }).end();
    const [answer, socket] = (await once(asked, "connect")) as [{ statusCode?: number }, Socket];
    if (answer.statusCode !== 200) {
      socket.destroy();
      throw new Error(`the proxy ${proxy.host} refused the connection to ${host} (${answer.statusCode})`);
    }
    return isSecure ? tls.connect({ socket, servername: host }) : socket;
  };
  const base = isSecure ? https.Agent : http.Agent;
  class TunnelAgent extends base {
    override createConnection(
      { host = "", port = 0 }: { host?: string; port?: number },
      done: (error: Error | null, socket?: Duplex) => void,
    ): undefined {
      open(host, Number(port)).then(
        (socket) => done(null, socket),
        (error: Error) => done(error),
      );
    }
  }
  return new TunnelAgent({ keepAlive: true });
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
