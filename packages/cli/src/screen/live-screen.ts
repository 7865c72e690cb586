import { emitKeypressEvents, type Interface } from "node:readline";
import type { Person } from "../io.ts";
import type { Key } from "../terminal/line-editor.ts";
import type { Effect } from "./model/effects.ts";
import { takeFinished } from "./model/hear.ts";
import { paste, press } from "./model/press.ts";
import { isWorking, type ScreenState } from "./model/state.ts";
import { loadHighlighter, wantsHighlighter } from "./paint/code-rows.ts";
import { paintFrame } from "./paint/frame.ts";
import { itemRows } from "./paint/item-rows.ts";
import type { Cursor } from "./paint/prompt-rows.ts";
import { printRow, type Row, wrap } from "./paint/span.ts";
import { isOrderingText, loadTextOrder, wantsTextOrder } from "./paint/text-order.ts";
import { TerminalWriter } from "./terminal-writer.ts";

/** How often the screen is drawn while text streams; keys are shown at once. */
const FRAME_MS = 40;
/** How often the mark of a running turn moves. */
const TICK_MS = 240;
/** An Escape that is no beginning of a longer sequence is known after this time, also over a slow line. */
const ESCAPE_MS = 60;
const ENTER = "\x1b[?2004h";
const LEAVE = "\x1b[?2004l\x1b[?25h";
/** Who puts text from right to left into order, for terminals that can: we, or they again. */
const WE_ORDER = "\x1b[8l";
const YOU_ORDER = "\x1b[8h";
const ALTERNATE_ON = "\x1b[?1049h\x1b[H";
const ALTERNATE_OFF = "\x1b[?1049l";
/** How many characters of what is finished are written at once: as many as the terminal takes in the time that a key may wait for it. */
const LEAST_AT_ONCE = 4000;
const MOST_AT_ONCE = 64_000;
const WRITE_MS = 6;
/** The alternate screen has no history of its own: so many rows are kept. */
const MOST_ROWS = 5000;

export interface LiveScreenOptions {
  readonly person: Person;
  readonly hasLooks: boolean;
  readonly isAlternate: boolean;
  readonly onEffect: (effect: Effect) => void;
  readonly onPaste: (text: string) => void;
}

/** The screen at work: takes keys, draws what has changed, and nothing more often than can be seen. */
export class LiveScreen {
  #state: ScreenState;
  readonly #options: LiveScreenOptions;
  readonly #writer: TerminalWriter;
  #timer: NodeJS.Timeout | undefined;
  #tick: NodeJS.Timeout | undefined;
  /** When what is finished was last taken out of the state, and the state after that. */
  #takenMs = 0;
  #taken: ScreenState | undefined;
  #pasted: string | undefined;
  /** Rows that wait to become part of the terminal's history. */
  #finished: Row[] = [];
  #atOnce = LEAST_AT_ONCE;
  /** What the alternate screen can be scrolled back to. */
  #rows: string[] = [];
  #isOn = false;
  #isOrdering = false;

  constructor(state: ScreenState, options: LiveScreenOptions) {
    this.#state = state;
    this.#options = options;
    this.#writer = new TerminalWriter(options.person.screen);
    // Only this is read of what it calls an interface.
    emitKeypressEvents(options.person.keys, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
  }

  get state(): ScreenState {
    return this.#state;
  }

  start(): void {
    const { keys, screen } = this.#options.person;
    this.#isOn = true;
    keys.on("keypress", this.#onKey).on("end", this.#onEnd);
    screen.on("resize", this.#onResize);
    keys.setRawMode(true);
    keys.resume();
    screen.write(`${this.#options.isAlternate ? ALTERNATE_ON : ""}${ENTER}`);
    this.#writer.forget();
    this.#draw();
  }

  /** Gives the terminal back as it was. */
  stop(): void {
    if (!this.#isOn) return;
    const { keys, screen } = this.#options.person;
    this.#isOn = false;
    clearTimeout(this.#timer);
    clearTimeout(this.#tick);
    this.#timer = undefined;
    this.#tick = undefined;
    if (!this.#options.isAlternate && this.#finished.length > 0)
      this.#writer.draw(this.#print(this.#finished.splice(0)), [], undefined);
    keys.off("keypress", this.#onKey).off("end", this.#onEnd);
    screen.off("resize", this.#onResize);
    this.#writer.clear();
    keys.pause();
    keys.setRawMode(false);
    screen.write(
      `${LEAVE}${this.#isOrdering ? YOU_ORDER : ""}${this.#options.isAlternate ? ALTERNATE_OFF : ""}`,
    );
    this.#isOrdering = false;
  }

  /** Changes what is shown, in time for the next frame. */
  update(change: (state: ScreenState) => ScreenState): void {
    this.#state = change(this.#state);
    this.#drawSoon(FRAME_MS);
  }

  /** Adds rows to what was said. */
  print(rows: readonly Row[]): void {
    const columns = this.#columns;
    this.#finished.push(...rows.flatMap((row) => wrap(row, { columns })));
    this.#drawSoon(FRAME_MS);
  }

  readonly #onKey = (_: string | undefined, key: Key) => {
    if (key.name === "paste-start") this.#pasted = "";
    else if (key.name === "paste-end") {
      const text = this.#pasted ?? "";
      this.#pasted = undefined;
      this.#options.onPaste(text);
    } else if (this.#pasted !== undefined) this.#pasted += key.sequence ?? "";
    else this.#press(key);
  };

  /** The terminal is gone. */
  readonly #onEnd = () => this.#options.onEffect({ type: "leave" });
  readonly #onResize = () => this.#draw();

  #press(key: Key): void {
    const { state, effects } = press(this.#state, key, Date.now());
    this.#state = state;
    for (const effect of effects) this.#options.onEffect(effect);
    if (this.#isOn) this.#drawSoon(0);
  }

  /** Puts in what was pasted. */
  paste(text: string): void {
    this.#state = paste(this.#state, text);
    this.#drawSoon(0);
  }

  get #columns(): number {
    return Math.max(20, (this.#options.person.screen.columns || 80) - 1);
  }

  #drawSoon(afterMs: number): void {
    if (!this.#isOn) return;
    const dueMs = Math.max(0, this.#takenMs + afterMs - Date.now());
    if (this.#timer && dueMs > 0) return;
    clearTimeout(this.#timer);
    // Keys that come together are drawn together.
    this.#timer = setTimeout(() => this.#draw(), dueMs);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isOn) return;
    const { person, isAlternate } = this.#options;
    const size = { columns: person.screen.columns || 80, rows: person.screen.rows || 24 };
    const isBehind = this.#finished.length > 0;
    if (!isBehind && Date.now() - this.#takenMs >= FRAME_MS) this.#takeFinished();
    const frame = paintFrame(this.#paintable, size, Date.now());
    const rows = this.#print(frame.rows);
    if (isOrderingText() && !this.#isOrdering) {
      this.#isOrdering = true;
      person.screen.write(WE_ORDER);
    }
    if (isAlternate) this.#drawWhole(this.#print(this.#finished.splice(0)), rows, frame.cursor, size.rows);
    else this.#write(this.#nextFinished(), rows, frame.cursor);
    if (wantsHighlighter()) void loadHighlighter().then(() => this.#drawSoon(0));
    if (wantsTextOrder()) void loadTextOrder().then(() => this.#drawSoon(0));
    this.#keepTicking();
    if (this.#finished.length > 0) this.#drawSoon(0);
    else if (this.#state.items !== this.#paintable.items) this.#drawSoon(FRAME_MS);
  }

  /** What is finished leaves the state, to be written for good. */
  #takeFinished(): void {
    const { state, items } = takeFinished(this.#state);
    const options = { columns: this.#columns, isExpanded: state.isExpanded, cwd: state.cwd };
    this.#state = state;
    this.#taken = state;
    this.#takenMs = Date.now();
    for (const item of items) {
      const rows = itemRows(item, options);
      if (rows.length > 0) this.#finished.push(...(item.kind === "turn" ? [] : [[]]), ...rows);
    }
  }

  /** The state for a frame: between two looks at what has come, a key is drawn without painting all of it. */
  get #paintable(): ScreenState {
    const { timeline, items, written } = this.#taken ?? this.#state;
    return timeline === this.#state.timeline ? { ...this.#state, items, written } : this.#state;
  }

  /** Writing ends when the terminal has taken all of it: the next time it gets more if it was quick, and less if it was not. */
  #write(finished: readonly Row[], rows: readonly string[], cursor: Cursor | undefined): void {
    const beganMs = performance.now();
    this.#writer.draw(this.#print(finished), rows, cursor);
    const tookMs = performance.now() - beganMs;
    if (tookMs > WRITE_MS) this.#atOnce = Math.max(LEAST_AT_ONCE, this.#atOnce / 2);
    else if (this.#finished.length > 0) this.#atOnce = Math.min(MOST_AT_ONCE, this.#atOnce * 2);
  }

  /** A terminal takes a little at a time, and keys must not wait until it has taken all. */
  #nextFinished(): Row[] {
    let chars = 0;
    const end = this.#finished.findIndex((row) => {
      for (const { text } of row) chars += text.length;
      return chars > this.#atOnce;
    });
    return this.#finished.splice(0, end < 0 ? this.#finished.length : end + 1);
  }

  #print(rows: readonly Row[]): string[] {
    return rows.map((row) => printRow(row, this.#options.hasLooks));
  }

  /** Fills the alternate screen: the latest rows above the live part, or earlier ones. */
  #drawWhole(
    finished: readonly string[],
    rows: readonly string[],
    cursor: Cursor | undefined,
    height: number,
  ): void {
    this.#rows.push(...finished);
    if (this.#rows.length > MOST_ROWS) this.#rows = this.#rows.slice(-MOST_ROWS);
    const room = Math.max(0, height - rows.length);
    const scrolled = Math.min(this.#state.scrolled, Math.max(0, this.#rows.length - room));
    const end = this.#rows.length - scrolled;
    const above = this.#rows.slice(Math.max(0, end - room), end);
    const space = Array.from({ length: room - above.length }, () => "");
    this.#writer.draw(
      [],
      [...above, ...space, ...rows],
      cursor && { row: room + cursor.row, column: cursor.column },
    );
  }

  #keepTicking(): void {
    const { note } = this.#state;
    const isMoving = isWorking(this.#state) && !this.#state.answering;
    const untilNoteEnds = note ? note.untilMs - Date.now() : 0;
    clearTimeout(this.#tick);
    const delay = isMoving ? TICK_MS : untilNoteEnds > 0 ? untilNoteEnds + 1 : undefined;
    this.#tick = delay === undefined ? undefined : setTimeout(() => this.#draw(), delay);
  }
}
