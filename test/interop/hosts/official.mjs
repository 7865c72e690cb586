import * as sdk from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { run } from "./program.mjs";

await run(sdk, z);
