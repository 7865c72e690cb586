import { createContext } from "preact";

/** The folder of the session that is shown: paths inside of it are said without it. */
export const Folder = createContext("");

/** Whether a client is a tab of this browser: people know what they said themselves. */
export const IsOurs = createContext<(client: string) => boolean>(() => false);

/** Offers to put files back to what they were before a prompt. */
export const OnRewind = createContext<(prompt: { readonly promptId: string; readonly text: string }) => void>(
  () => {},
);
