/** The maximum length of a tool's name in the Messages API. */
const MAX_NAME_CHARS = 128;

/** The name under which the model knows a server's tool or prompt; undefined if no model accepts such a name. */
export function qualifiedName(server: string, name: string): string | undefined {
  const full = `mcp__${plain(server)}__${plain(name)}`;
  return name === "" || full.length > MAX_NAME_CHARS ? undefined : full;
}

/** A tool's name for people: `get_weather` becomes "Get weather". */
export function displayName(name: string): string {
  const words = name.split(/[_-]/).filter((word) => word !== "");
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_");
}
