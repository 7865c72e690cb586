import { VERSION } from "../version.ts";
import { both, LOOK, type Row, shown, span } from "./paint/span.ts";
import { abbreviateHome } from "./paint/status-rows.ts";

/** The keys of the screen, in the order in which people need them. */
const KEYS: readonly (readonly [string, string])[] = [
  ["Enter", "send; during a turn, the prompt joins it or waits"],
  ["Alt-Enter, Ctrl-J, \\ Enter", "a new line"],
  ["Esc", "interrupt the turn"],
  ["Esc Esc", "clear the prompt, or rewind if it is empty"],
  ["Shift-Tab", "change the permission mode"],
  ["Tab", "switch between a question and the prompt"],
  ["/", "commands: sessions, model, mode, the agent's"],
  ["@", "files"],
  ["↑ ↓, Ctrl-R", "browse and search earlier prompts"],
  ["Ctrl-V", "paste the image in the clipboard"],
  ["Ctrl-O", "expand or fold thinking and output"],
  ["Ctrl-L", "redraw the screen"],
  ["Ctrl-G", "sessions"],
  ["Ctrl-C", "clear the prompt, interrupt the turn, leave"],
  ["Ctrl-Z", "suspend to the shell; fg resumes"],
  ["Ctrl-D", "leave; the session is kept"],
];

export function helpRows(): Row[] {
  const width = Math.max(...KEYS.map(([key]) => key.length));
  return [
    [],
    ...KEYS.map(([key, words]) => [
      span(`  ${key.padEnd(width)}  `, both(LOOK.bold, LOOK.cyan)),
      span(words),
    ]),
  ];
}

/** The text above an empty screen. */
export function welcomeRows(cwd: string, home: string): Row[] {
  return [
    [
      span("agentwire ", both(LOOK.bold, LOOK.cyan)),
      span(`${VERSION} in ${shown(abbreviateHome({ cwd, home }))}`, LOOK.dim),
    ],
    [],
  ];
}
