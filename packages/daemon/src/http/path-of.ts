/** The path of a request without what is asked of it behind a `?`. */
export const pathOf = ({ url = "/" }: { readonly url?: string | undefined }): string =>
  url.replace(/[?#].*$/s, "");
