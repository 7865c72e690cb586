/** Serves the Messages API with the models of any provider. */

export { admitting, type GatewayCall, type GatewayClient } from "../gateway/client.ts";
export { type Gateway, type GatewayOptions, startGateway } from "../gateway/gateway.ts";
export type { GatewayLimits } from "../gateway/limits.ts";
