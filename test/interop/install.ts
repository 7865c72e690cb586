import { fileURLToPath } from "node:url";
import { installPackages } from "../install.ts";

/** Puts the official SDK in place, without the official agent's binaries (some 200 MB): the agent under test is ours. */
export async function installOfficialSdk(): Promise<void> {
  await installPackages(fileURLToPath(new URL(".", import.meta.url)), ["--omit=optional"]);
}
