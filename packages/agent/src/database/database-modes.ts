import type { Readable, Writable } from "node:stream";
import type { Config } from "../config/config.ts";
import { LongTermMemory } from "../memory/long-term-memory.ts";
import { type Database, openDatabase } from "../store/sqlite/database.ts";
import { lockDatabase } from "../store/sqlite/lock.ts";
import { databaseStore } from "../store/sqlite/store.ts";
import { ownSession } from "./session-name.ts";

/** The streams of a process. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  readonly complain: (text: string) => void;
}

/** Runs the program in one of the modes that store their sessions in a database; resolves to the exit code. */
export async function runOnDatabase(config: Config, path: string, streams: Streams): Promise<number> {
  const readOnly = config.mode === "inspect" || config.mode === "dump";
  const database = await openDatabase(path, { readOnly });
  try {
    if (readOnly) return await report(config, database, streams);
    const lock = await lockDatabase(database.path);
    try {
      return await answer(config, database, streams);
    } finally {
      lock.release();
    }
  } finally {
    database.close();
  }
}

/** Only reads, so it needs no lock and works while another process answers. */
async function report(config: Config, database: Database, { output, complain }: Streams): Promise<number> {
  if (config.mode === "inspect") {
    const { inspection } = await import("./inspect.ts");
    output.write(inspection(database, config));
  } else {
    const { dump } = await import("./dump.ts");
    output.write(await dump(config, database, complain));
  }
  return 0;
}

async function answer(config: Config, database: Database, streams: Streams): Promise<number> {
  const { input, output, complain } = streams;
  if (config.mode === "repl") {
    const { runRepl } = await import("./repl.ts");
    return runRepl(config, database, input, output, complain);
  }
  if (!config.talks) {
    const { printAnswer } = await import("../serve/print.ts");
    const memory = new LongTermMemory(database, config.consolidateAfter);
    try {
      const store = databaseStore(database, ownSession(config), config);
      const code = await printAnswer(config, input, output, complain, { store, memory });
      await memory.settled();
      return code;
    } finally {
      await memory.close();
    }
  }
  const { serveDatabase } = await import("./server.ts");
  return serveDatabase(config, database, input, output, complain);
}
