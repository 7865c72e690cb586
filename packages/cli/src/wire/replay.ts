import { resolve } from "node:path";
import { playAgent } from "@agentwire/conformance/programs";
import { readTranscript } from "@agentwire/conformance/transcript";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, hasOption } from "../command.ts";
import { CliError, UsageError } from "../errors.ts";
import { styleFor } from "../render/style.ts";
import { showTranscript } from "./show.ts";

/** Plays the agent of a transcript on stdin and stdout, or prints the transcript. */
export async function replay(call: Call): Promise<number> {
  const {
    io,
    args: [given = "", ...ignored],
  } = call;
  const file = resolve(io.cwd, given);
  if (hasOption(call, "show")) {
    io.stdout.write(showTranscript(await read(file), styleFor(io.stdout, io.env), call.json));
    return EXIT_CODES.done;
  }
  if (io.stdin.isTTY && !ignored.includes("--version"))
    throw new UsageError(
      "replay needs a host on stdin and stdout, not a terminal",
      `to print it: agentwire replay --show ${given}`,
    );
  return playAgent(ignored, { ...io.env, AGENTWIRE_SCRIPT: file });
}

async function read(file: string) {
  try {
    return await readTranscript(file);
  } catch (cause) {
    throw new CliError(`${file} is not a transcript: ${(cause as Error).message}`, { cause });
  }
}
