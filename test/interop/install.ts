import { fileURLToPath } from "node:url";
import { installPackages } from "../install.ts";

/** Installs the official SDK without the official agent's binaries (some 200 MB), because the agent under test is ours. */
export async function installOfficialSdk(): Promise<void> {
  await installPackages(fileURLToPath(new URL(".", import.meta.url)), ["--omit=optional"]);
}
