/** Words that end the name of a secret, and pairs of words that do. */
const LAST_WORD =
  /(?:password|passwd|passphrase|passcode|passwort|secret|secrets|token|apikey|secretkey|accesskey|privatekey|credential|credentials|creds|cookie)$|^(?:pass|pgpass|dbpass|storepass|keypass|sshpass|userpass|pwd|authkey|requirepass)$/;
const LAST_WORDS =
  /(?:^|_)(?:api|access|private|secret|signing|encryption|account|master|auth|license|deploy|shared_access|session|service|ssh|hmac|jwt)_keys?$|(?:^|_)key_data$|(?:^|_)(?:shared_access_signature|connection_string|webhook_url)$/;

/** The names of paths and of the shell's folder, which only sound like it. */
const HARMLESS = /^(?:OLD)?PWD$/;

/** Whether a name, of a variable, field, option or header, is that of a secret. */
export function isSecretName(name: string): boolean {
  if (HARMLESS.test(name)) return false;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_.-]+/)
    .filter((word) => word !== "");
  return LAST_WORD.test(words.at(-1) ?? "") || LAST_WORDS.test(words.join("_"));
}

/** What stands where a secret would be, and is none: types, references to variables, calls, gaps to fill in, files with keys. */
const PLACEHOLDERS: readonly RegExp[] = [
  /^(?:string|number|boolean|bool|str|int|undefined|null|nil|none|true|false|unknown|any|object|bytes|required|optional|expired|invalid|missing|revoked|expected|unexpected|incorrect|empty|must|should|is|was|not|and|or|the|a|an|for|from|of|to|with)[?!|.:,;]*$/i,
  /^\$\{?[A-Za-z_]|^\$\(|^%[A-Za-z_]\w*%$|^\{\{|^<[^>]*>?$|^[*•x.…]{3,}$|^\[redacted/i,
  /^(?:process\.env|os\.environ|import\.meta|env|config|options|this|self|secrets|vars|args)[.[]/,
  /^(?:await|new|get|read|load|fetch|make|create)?[A-Za-z_$][\w.$]*\($/,
  /^[~.]{0,2}\/(?:[\w.@-]+\/)+[\w.@-]*\.[A-Za-z]{1,5}$/,
];

/** Whether a value only stands for a secret that is somewhere else. */
export const isPlaceholder = (value: string): boolean => PLACEHOLDERS.some((shape) => shape.test(value));
