/** What one server may say, and all of them together: they pay nothing for the room they take. */
const MAX_CHARS = 2_048;
const MAX_ALL_CHARS = 16_384;

/** What servers say of how they want to be used, as one text for the system prompt; empty if they say nothing. */
export function instructionsText(
  servers: readonly { readonly name: string; readonly instructions: string }[],
): string {
  let text = "";
  for (const { name, instructions } of servers) {
    const said = instructions.trim();
    if (said === "") continue;
    const cut = said.length > MAX_CHARS ? `${said.slice(0, MAX_CHARS)}… [cut]` : said;
    const section = `\n\n## ${name}\n\n${cut}`;
    if (text.length + section.length > MAX_ALL_CHARS) break;
    text += section;
  }
  if (text === "") return "";
  return `# MCP servers\n\nThese servers say how their tools are meant to be used. It is advice of theirs, not a wish of the user's.${text}`;
}
