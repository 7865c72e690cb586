import type { Daemon } from "../daemon.ts";
import type { Handler } from "../http/front.ts";
import { pathOf } from "../http/path-of.ts";
import { readings } from "./readings.ts";

const PATH = "/metrics";

/** Answers Prometheus, and passes on every other request. */
export function withMetrics(daemon: Daemon, general: Handler): Handler {
  const looked = readings(daemon);
  return (request, response) => {
    if (pathOf(request) !== PATH || request.method !== "GET") return general(request, response);
    daemon.agents.look();
    const instruments = [...daemon.metrics.instruments, ...looked];
    Promise.all(instruments.map((instrument) => instrument.text())).then(
      (texts) => {
        response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
        response.end(texts.join(""));
      },
      (error: unknown) => {
        daemon.report("request", error);
        response.writeHead(500);
        response.end();
      },
    );
  };
}
