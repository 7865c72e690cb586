/** A file or folder that a call touches, as the call spells it. */
export interface Access {
  readonly kind: "read" | "write";
  readonly path: string;
  /** Set where everything below it is read or moved along: the files, or also what they once were. */
  readonly below?: "files" | "history";
  /** Set where a folder in its place would lead to more than its name. */
  readonly mustBeFile?: true;
}
