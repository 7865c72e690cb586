import { join } from "node:path";
import { ROOT } from "./bundle.mjs";
import { bundleThreads } from "./daemon-threads.mjs";

await bundleThreads(join(ROOT, "packages/daemon"));
