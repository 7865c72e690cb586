import * as sdk from "@agentwire/host";
import { z } from "zod";
import { run } from "./program.mjs";

await run(sdk, z);
