import { loadSession } from "../../src/store/load.ts";
import { call, sessionIn, text, Writer } from "./writer.ts";

const [, , folder = "", sessionId = ""] = process.argv;

const loading = await loadSession({ configDir: folder, cwd: folder, idOrTitle: sessionId });
const lastUuid = "refusal" in loading ? undefined : sessionIn(loading).lastUuid;
const writer = new Writer(folder, { sessionId, ...(lastUuid && { lastUuid }) });

for (let turn = 0; ; turn++) {
  writer.user(`prompt ${turn}`);
  writer.reply(`m${turn}`, text("x".repeat(Math.random() * 20_000)));
  writer.reply(`m${turn}`, call(`c${turn}`));
  writer.result(`c${turn}`);
  await writer.transcript.flush();
  process.stdout.write(".");
}
