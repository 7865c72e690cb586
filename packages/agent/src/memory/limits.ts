/** The maximum length of an entry's title. */
export const MAX_TITLE = 120;
/** The maximum length of an entry's text. */
export const MAX_BODY = 8_000;
/** The maximum number of entries, not counting archived ones. */
export const MAX_ENTRIES = 2_000;
/** The maximum number of archived entries; those archived first are removed first. */
export const MAX_ARCHIVED = 2_000;
/** The maximum number of earlier versions of an entry. */
export const MAX_VERSIONS = 20;
