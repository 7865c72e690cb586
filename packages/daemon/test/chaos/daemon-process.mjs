// Runs a daemon in its own process, so that it can be killed: argv[2] is the folder, argv[3] the settings that differ from
// the defaults. It exits when its stdin closes, because then the process that started it is gone.
import { defaultConfig, startDaemon } from "@agentwire/daemon";
import { silentLog } from "@agentwire/protocol/support";

process.stdin.on("close", () => process.exit(1)).resume();
const [folder, changes = "{}"] = process.argv.slice(2);
const env = { ...process.env, AGENTWIRE_HOME: folder };
const { stop } = await startDaemon({ ...defaultConfig(env, folder), ...JSON.parse(changes) }, silentLog);
// Node warns about leaks, so any warning is a failure.
process.on("warning", (warning) => {
  process.stderr.write(`${warning.stack}\n`);
  process.exitCode = 1;
});
process.on("SIGTERM", () => void stop().then(() => process.exit()));
process.on("SIGINT", () => void stop(10_000).then(() => process.exit()));
process.stdout.write("ready\n");
