import { createContext } from "preact";

/** The folder of the shown session; paths inside it are displayed relative to it. */
export const Folder = createContext("");

/** Whether a client is a tab of this browser; the user's own client names are not displayed. */
export const IsOurs = createContext<(client: string) => boolean>(() => false);

/** Opens the rewind dialog for a prompt. */
export const OnRewind = createContext<(prompt: { readonly promptId: string; readonly text: string }) => void>(
  () => {},
);
