import type { Person } from "../io.ts";
import { whenAlone } from "../terminal/answer-keys.ts";
import type { Key } from "../terminal/line-editor.ts";
import { Keyboard } from "./keyboard.ts";
import { takeFinished } from "./model/apply-news.ts";
import type { Effect, Pressed } from "./model/effects.ts";
import { paste, press } from "./model/press.ts";
import { pressAlone } from "./model/press-answer.ts";
import { isWorking, type ScreenState } from "./model/state.ts";
import { loadHighlighter, wantsHighlighter } from "./paint/code-rows.ts";
import { paintFrame } from "./paint/frame.ts";
import type { PaintOptions } from "./paint/item-rows.ts";
import type { Cursor } from "./paint/prompt-rows.ts";
import { printRow, type Row } from "./paint/span.ts";
import { isOrderingText, loadTextOrder, wantsTextOrder } from "./paint/text-order.ts";
import { ASK_FOR_WIDTHS, WidthAnswers } from "./picture-widths.ts";
import { ALTERNATE_OFF, ALTERNATE_ON, ENTER, LEAVE, WE_ORDER, YOU_ORDER } from "./sequences.ts";
import { ShownAgain } from "./shown-again.ts";
import { SpareMemory } from "./spare-memory.ts";
import { TerminalWriter } from "./terminal-writer.ts";

/** How often to redraw while text streams; key presses are drawn at once. */
const FRAME_MS = 40;
/** How often the spinner of a running turn moves. */
const TICK_MS = 240;
/** How many characters of finished output to write at once: as many as the terminal accepts while a key press may wait. */
const MIN_AT_ONCE = 4000;
const MAX_AT_ONCE = 64_000;
const WRITE_MS = 6;
/** More rows than this are waiting only if the terminal is slower than the daemon. */
const MAX_WAITING = 1000;
/** How many characters of past output to keep for redrawing: a very large screenful, or the whole history on the alternate screen. */
const LARGEST_SCREEN = 60_000;
const OWN_HISTORY = 400_000;
/** How many rows to keep for scrolling on the alternate screen, which has no history. */
const MAX_ROWS = 5000;

export interface LiveScreenOptions {
  readonly person: Person;
  readonly isStyled: boolean;
  readonly isAlternate: boolean;
  readonly onEffect: (effect: Effect) => void;
  readonly onPaste: (text: string) => void;
}

/** Runs the screen: handles keys and draws changes, no more often than they can be seen. */
export class LiveScreen {
  #state: ScreenState;
  readonly #options: LiveScreenOptions;
  readonly #writer: TerminalWriter;
  #timer: NodeJS.Timeout | undefined;
  #tick: NodeJS.Timeout | undefined;
  /** When finished items were last removed from the state, and the state after that. */
  #takenMs = 0;
  #taken: ScreenState | undefined;
  readonly #keyboard: Keyboard;
  readonly #widths = new WidthAnswers();
  /** Cancels the pending key that would answer a question. */
  #forgetKey = () => {};
  /** Rows waiting to be written to the terminal's history. */
  #finished: Row[] = [];
  #atOnce = MIN_AT_ONCE;
  readonly #again: ShownAgain;
  #spare: SpareMemory | undefined;
  /** The width for which the visible rows were drawn; 0 forces a redraw. */
  #drawnFor = 0;
  /** The scrollback of the alternate screen. */
  #rows: string[] = [];
  #isOn = false;
  #isOrdering = false;

  constructor(state: ScreenState, options: LiveScreenOptions) {
    this.#state = state;
    this.#options = options;
    this.#writer = new TerminalWriter(options.person.screen);
    this.#again = new ShownAgain(options.isAlternate ? OWN_HISTORY : LARGEST_SCREEN);
    this.#keyboard = new Keyboard(options.person.keys, {
      onKey: (key) => this.#press(key),
      onPaste: (text) => {
        this.#forgetKey();
        options.onPaste(text);
      },
      onEnd: () => options.onEffect({ type: "leave" }),
    });
  }

  get state(): ScreenState {
    return this.#state;
  }

  /** Whether the terminal has fallen behind, so that producers should wait. */
  get isBehind(): boolean {
    return this.#finished.length > MAX_WAITING;
  }

  start(): void {
    const { screen } = this.#options.person;
    this.#isOn = true;
    this.#spare = new SpareMemory();
    screen.on("resize", this.#onResize);
    this.#keyboard.start();
    screen.write(`${this.#options.isAlternate ? ALTERNATE_ON : ""}${ENTER}`);
    this.#writer.forget();
    this.#drawnFor = this.#width;
    this.#draw();
  }

  /** Redraws everything visible. */
  redraw(): void {
    this.#drawnFor = 0;
    this.#drawSoon(0);
  }

  /** Expands what was folded in the latest turn; on the alternate screen, redraws everything. */
  unfold(): void {
    if (this.#options.isAlternate) this.#drawnFor = 0;
    else if (this.#state.isExpanded) this.#finished.push(...this.#again.unfolded(this.#paintOptions));
    this.#drawSoon(0);
  }

  /** Restores the terminal. */
  stop(): void {
    if (!this.#isOn) return;
    const { screen } = this.#options.person;
    this.#isOn = false;
    this.#spare?.stop();
    clearTimeout(this.#timer);
    clearTimeout(this.#tick);
    this.#forgetKey();
    this.#timer = undefined;
    this.#tick = undefined;
    if (!this.#options.isAlternate && this.#finished.length > 0)
      this.#writer.draw(this.#print(this.#finished.splice(0)), [], undefined);
    screen.off("resize", this.#onResize);
    this.#writer.clear();
    this.#keyboard.stop();
    screen.write(
      `${LEAVE}${this.#isOrdering ? YOU_ORDER : ""}${this.#options.isAlternate ? ALTERNATE_OFF : ""}`,
    );
    this.#isOrdering = false;
  }

  /** Changes the state; the next frame shows it. */
  update(change: (state: ScreenState) => ScreenState): void {
    this.#state = change(this.#state);
    this.#drawSoon(FRAME_MS);
  }

  /** Adds rows to the history. */
  print(rows: readonly Row[]): void {
    this.#finished.push(...this.#again.add({ rows }, this.#paintOptions));
    this.#drawSoon(FRAME_MS);
  }

  readonly #onResize = () => this.#draw();

  #press(key: Key): void {
    if (this.#widths.take(key.sequence ?? "")) {
      this.#drawSoon(0);
      return;
    }
    this.#forgetKey();
    this.#take(press(this.#state, key, Date.now()));
    if (this.#state.answering?.pressed)
      this.#forgetKey = whenAlone(() => this.#take(pressAlone(this.#state)));
  }

  #take({ state, effects }: Pressed<ScreenState>): void {
    this.#state = state;
    for (const effect of effects) this.#options.onEffect(effect);
    if (this.#isOn) this.#drawSoon(0);
  }

  /** Inserts pasted text. */
  paste(text: string): void {
    this.#state = paste(this.#state, text);
    this.#drawSoon(0);
  }

  get #width(): number {
    return this.#options.person.screen.columns || 80;
  }

  get #paintOptions(): PaintOptions {
    const { isExpanded, cwd } = this.#state;
    return { columns: Math.max(20, this.#width - 1), isExpanded, cwd };
  }

  #drawSoon(afterMs: number): void {
    if (!this.#isOn) return;
    const dueMs = Math.max(0, this.#takenMs + afterMs - Date.now());
    if (this.#timer && dueMs > 0) return;
    clearTimeout(this.#timer);
    // Keys that arrive together are drawn together.
    this.#timer = setTimeout(() => this.#draw(), dueMs);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isOn) return;
    this.#spare?.postpone();
    const { person, isAlternate } = this.#options;
    const size = { columns: this.#width, rows: person.screen.rows || 24 };
    const isBehind = this.#finished.length > 0;
    if (!isBehind && Date.now() - this.#takenMs >= FRAME_MS) this.#takeFinished();
    const frame = paintFrame(this.#paintable, size, Date.now());
    const rows = this.#print(frame.rows);
    if (isOrderingText() && !this.#isOrdering) {
      this.#isOrdering = true;
      person.screen.write(WE_ORDER);
    }
    const isFull = this.#drawnFor !== size.columns;
    this.#drawnFor = size.columns;
    if (isAlternate) {
      const finished = this.#finished.splice(0);
      if (isFull) this.#rows = this.#print(this.#again.all(this.#paintOptions));
      else this.#rows.push(...this.#print(finished));
      this.#drawWhole(rows, frame.cursor, size.rows, isFull);
    } else if (isFull) this.#redrawAll(rows, frame.cursor);
    else this.#write(this.#nextFinished(), rows, frame.cursor);
    if (wantsHighlighter()) void loadHighlighter().then(() => this.#drawSoon(0));
    if (this.#widths.isWanted) {
      this.#writer.interject(ASK_FOR_WIDTHS);
      this.#drawSoon(0);
    }
    if (wantsTextOrder()) void loadTextOrder().then(() => this.#drawSoon(0));
    this.#keepTicking();
    if (this.#finished.length > 0) this.#drawSoon(0);
    else if (this.#state.items !== this.#paintable.items) this.#drawSoon(FRAME_MS);
  }

  /** Moves finished items from the state to the history. */
  #takeFinished(): void {
    const { state, items } = takeFinished(this.#state);
    this.#state = state;
    this.#taken = state;
    this.#takenMs = Date.now();
    for (const item of items) this.#finished.push(...this.#again.add({ item }, this.#paintOptions));
  }

  /** The state for a frame: between two updates of the finished items, a key press is drawn without painting new events. */
  get #paintable(): ScreenState {
    const { timeline, items, written } = this.#taken ?? this.#state;
    return timeline === this.#state.timeline ? { ...this.#state, items, written } : this.#state;
  }

  /** Writes to the terminal, which blocks until all is accepted; adapts the amount for the next write to its speed. */
  #write(finished: readonly Row[], rows: readonly string[], cursor: Cursor | undefined): void {
    const beganMs = performance.now();
    this.#writer.draw(this.#print(finished), rows, cursor);
    const tookMs = performance.now() - beganMs;
    if (tookMs > WRITE_MS) this.#atOnce = Math.max(MIN_AT_ONCE, this.#atOnce / 2);
    else if (this.#finished.length > 0) this.#atOnce = Math.min(MAX_AT_ONCE, this.#atOnce * 2);
  }

  /** Writes waiting rows first, so that the terminal's history is complete. */
  #redrawAll(rows: readonly string[], cursor: Cursor | undefined): void {
    const waiting = this.#finished.splice(0);
    if (waiting.length > 0) this.#writer.draw(this.#print(waiting), rows, cursor);
    this.#writer.redraw(this.#print(this.#again.all(this.#paintOptions)), rows, cursor);
  }

  /** The next rows to write; only some at a time, because key presses must not wait for all of them. */
  #nextFinished(): Row[] {
    let chars = 0;
    const end = this.#finished.findIndex((row) => {
      for (const { text } of row) chars += text.length;
      return chars > this.#atOnce;
    });
    return this.#finished.splice(0, end < 0 ? this.#finished.length : end + 1);
  }

  #print(rows: readonly Row[]): string[] {
    return rows.map((row) => printRow(row, this.#options.isStyled));
  }

  /** Fills the alternate screen: the latest rows above the live part, or earlier ones. */
  #drawWhole(rows: readonly string[], cursor: Cursor | undefined, height: number, isFull: boolean): void {
    if (this.#rows.length > MAX_ROWS) this.#rows = this.#rows.slice(-MAX_ROWS);
    const room = Math.max(0, height - rows.length);
    const scrolled = Math.min(this.#state.scrolled, Math.max(0, this.#rows.length - room));
    const end = this.#rows.length - scrolled;
    const above = this.#rows.slice(Math.max(0, end - room), end);
    const space = Array.from({ length: room - above.length }, () => "");
    const whole = [...above, ...space, ...rows];
    const place = cursor && { row: room + cursor.row, column: cursor.column };
    if (isFull) this.#writer.redraw([], whole, place);
    else this.#writer.draw([], whole, place);
  }

  #keepTicking(): void {
    const { note, answering, lost } = this.#state;
    const isMoving = isWorking(this.#state) && !answering && lost === undefined;
    const untilNoteEnds = note ? note.untilMs - Date.now() : 0;
    clearTimeout(this.#tick);
    const delay = isMoving ? TICK_MS : untilNoteEnds > 0 ? untilNoteEnds + 1 : undefined;
    this.#tick = delay === undefined ? undefined : setTimeout(() => this.#draw(), delay);
  }
}
