/** Enables bracketed paste. */
export const ENTER = "\x1b[?2004h";
export const LEAVE = "\x1b[?2004l\x1b[?25h";
/** Whether this program or the terminal reorders right-to-left text, for terminals that can. */
export const WE_ORDER = "\x1b[8l";
export const YOU_ORDER = "\x1b[8h";
export const ALTERNATE_ON = "\x1b[?1049h\x1b[H";
export const ALTERNATE_OFF = "\x1b[?1049l";
