/** How long the title of an entry may be. */
export const MAX_TITLE = 120;
/** How long the text of an entry may be. */
export const MAX_BODY = 8_000;
/** How many entries there may be, archived ones apart. */
export const MAX_ENTRIES = 2_000;
/** How many archived entries are kept; the ones archived first go first. */
export const MAX_ARCHIVED = 2_000;
/** How many earlier versions of an entry are kept. */
export const MAX_VERSIONS = 20;
