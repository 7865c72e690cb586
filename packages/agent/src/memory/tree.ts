/** An entry without its text. */
export interface EntryTitle {
  readonly slug: string;
  readonly title: string;
}

/** A node of the tree: an entry, a branch with entries beneath it, or both. */
export interface Branch {
  readonly slug: string;
  /** Undefined for a branch without an entry. */
  readonly title: string | undefined;
  /** The number of entries beneath it, at any depth. */
  readonly beneath: number;
}

/** The nodes one level below a branch, sorted by slug; those of the whole tree if the branch is empty. */
export function branchesUnder(branch: string, entries: Iterable<EntryTitle>): readonly Branch[] {
  const found = new Map<string, { title: string | undefined; beneath: number }>();
  const prefix = branch === "" ? "" : `${branch}/`;
  for (const { slug, title } of entries) {
    if (!slug.startsWith(prefix)) continue;
    const end = slug.indexOf("/", prefix.length);
    const name = end < 0 ? slug : slug.slice(0, end);
    const place = found.get(name) ?? { title: undefined, beneath: 0 };
    found.set(name, place);
    if (end < 0) place.title = title;
    else place.beneath++;
  }
  return [...found].map(([slug, place]) => ({ slug, ...place })).sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

/** A node as one line. */
export function branchLine({ slug, title, beneath }: Branch): string {
  const more = beneath === 0 ? "" : ` (${beneath} beneath)`;
  return title === undefined ? `- ${slug}/${more}` : `- ${slug}: ${title}${more}`;
}
