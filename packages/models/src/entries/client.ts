/** Calls the models of a provider. */

export { connectProvider } from "../client.ts";
