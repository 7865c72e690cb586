/** A file or folder that a call touches, as written in the call. */
export interface Access {
  readonly kind: "read" | "write";
  readonly path: string;
  /** Set if everything below it is read or moved: the files, or also their history. */
  readonly below?: "files" | "history";
  /** Set if a folder in its place would have its contents read, too. */
  readonly mustBeFile?: true;
}
