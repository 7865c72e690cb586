/** What is pasted is told from keys. */
export const ENTER = "\x1b[?2004h";
export const LEAVE = "\x1b[?2004l\x1b[?25h";
/** Who puts text from right to left into order, for terminals that can: we, or they again. */
export const WE_ORDER = "\x1b[8l";
export const YOU_ORDER = "\x1b[8h";
export const ALTERNATE_ON = "\x1b[?1049h\x1b[H";
export const ALTERNATE_OFF = "\x1b[?1049l";
