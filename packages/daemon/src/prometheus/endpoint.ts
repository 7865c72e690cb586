import type { Daemon } from "../daemon.ts";
import type { Handler } from "../http/front.ts";
import { pathOf } from "../http/path-of.ts";
import { readings } from "./readings.ts";

const PATH = "/metrics";

/** Answers Prometheus, and passes everything else on. */
export function withMetrics(daemon: Daemon, general: Handler): Handler {
  const looked = readings(daemon);
  return (request, response) => {
    if (pathOf(request) !== PATH || request.method !== "GET") return general(request, response);
    daemon.agents.look();
    const text = [...daemon.metrics.instruments, ...looked].map((instrument) => instrument.text()).join("");
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    response.end(text);
  };
}
