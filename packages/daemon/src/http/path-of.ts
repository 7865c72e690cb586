/** The path of a request without query and fragment. */
export const pathOf = ({ url = "/" }: { readonly url?: string | undefined }): string =>
  url.replace(/[?#].*$/s, "");
