import type { Readable, Writable } from "node:stream";
import type { Config } from "./config.ts";
import { serveDatabase } from "./server.ts";
import { openDatabase } from "./store/sqlite/database.ts";
import { lockDatabase } from "./store/sqlite/lock.ts";

/** The streams of a process. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  readonly complain: (text: string) => void;
}

/** Runs the program in one of the modes that keep their sessions in a database; resolves to the exit code. */
export async function runOnDatabase(
  config: Config,
  path: string,
  { input, output, complain }: Streams,
): Promise<number> {
  const database = await openDatabase(path);
  try {
    const lock = await lockDatabase(database.path);
    try {
      return await serveDatabase(config, database, input, output, complain);
    } finally {
      lock.release();
    }
  } finally {
    database.close();
  }
}
