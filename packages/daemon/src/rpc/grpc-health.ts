import { type Health, ServingStatus } from "@agentwire/api";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";

/** The standard gRPC health check, as load balancers and grpcurl use it. */
export function grpcHealth(daemon: Daemon): ServiceImpl<typeof Health> {
  const statusOf = (service: string) => {
    if (service !== "" && !service.startsWith("agentwire.v1."))
      throw new ConnectError("unknown service", Code.NotFound);
    daemon.agents.look();
    return { status: daemon.health.isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING };
  };
  return {
    async check({ service }) {
      return statusOf(service);
    },
    async *watch({ service }, { signal }) {
      yield statusOf(service);
      for await (const _ of daemon.health.changes(signal)) yield statusOf(service);
    },
  };
}
