/** Whether a text is what a pattern says, where each `star` stands for any characters, none included. */
export function matchesWildcard(pattern: string, text: string, star: string): boolean {
  const [head = "", ...chunks] = pattern.split(star);
  const tail = chunks.pop();
  if (tail === undefined) return text === pattern;
  if (!text.startsWith(head)) return false;
  let from = head.length;
  for (const chunk of chunks) {
    const at = text.indexOf(chunk, from);
    if (at < 0) return false;
    from = at + chunk.length;
  }
  return text.length - tail.length >= from && text.endsWith(tail);
}
