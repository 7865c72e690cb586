import { fileURLToPath } from "node:url";
import { runInNamespace } from "./agent/namespace.mjs";
import { installOfficialAgent } from "./agent/official.mjs";
import { once } from "./measure.mjs";

const COMPARISONS = fileURLToPath(new URL("agent/comparisons.mjs", import.meta.url));

/** Our agent and the official one, each from its start to the result of a turn. */
export const start = once(async () => runInNamespace(COMPARISONS, ["start", await installOfficialAgent()]));
/** Their memory after turns, and the duration of a turn. */
export const turns = once(async () => runInNamespace(COMPARISONS, ["turns", await installOfficialAgent()]));
const bash = once(async () => runInNamespace(COMPARISONS, ["bash", await installOfficialAgent()]));
const sandbox = once(() => runInNamespace(COMPARISONS, ["sandbox"]));
const stream = once(async () => runInNamespace(COMPARISONS, ["stream", await installOfficialAgent()]));
const chat = once(() => runInNamespace(COMPARISONS, ["chat"]));
const history = once(async () => runInNamespace(COMPARISONS, ["history"]));
const database = once(async () => runInNamespace(COMPARISONS, ["database"]));

/** Our agent and the official one, both in a network namespace with only the loopback interface and an API that answers at once. */
export const figures = [
  { name: "from spawn to result", target: 0.25, unit: "ms", of: start, field: "result" },
  { name: "memory after 1 turn", target: 0.27, unit: "MB", of: turns, field: "memoryAfter1" },
  { name: "memory after 50 turns", target: 0.5, unit: "MB", of: turns, field: "memoryAfter50" },
  { name: "turn beyond the API", target: 0.12, unit: "ms", of: turns, field: "turn" },
  { name: "Bash call", target: 0.15, unit: "ms", of: bash, field: "call" },
  {
    name: "Bash call in the sandbox, over a plain one",
    target: 25,
    unit: "ms",
    reference: undefined,
    of: sandbox,
    field: "call",
  },
  { name: "stream_event output", target: 6, unit: "lines/s", better: "more", of: stream, field: "rate" },
  {
    name: "turn by Chat Completions",
    target: 1.3,
    unit: "ms",
    reference: "turn by the Messages API",
    of: chat,
    field: "turn",
  },
  {
    name: "turn after 1,000 turns",
    target: 1.5,
    unit: "ms",
    reference: "turn after 10 turns",
    of: history,
    field: "turn",
  },
  {
    name: "turn of a database after 1,000 turns",
    target: 1.5,
    unit: "ms",
    reference: "turn after 10 turns",
    of: database,
    field: "turn",
  },
  {
    name: "memory with 1,000 turns of a database",
    target: 1.25,
    unit: "MB",
    reference: "with 10 turns",
    of: database,
    field: "memory",
  },
].map(({ name, of, field, ...figure }) => ({
  name: `agent: ${name}`,
  better: "less",
  reference: "official CLI",
  ...figure,
  measure: async () => (await of())[field],
}));
