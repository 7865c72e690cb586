/**
 * Replaces the text between the comments `<!-- name -->` and `<!-- /name -->` of a Markdown page, so that a program can maintain part of
 * a page that people write.
 */
export function replaceSection(page, name, body) {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no section ${begin.trim()} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n${body.trim()}\n\n${page.slice(to)}`;
}
