import { createContext } from "preact";

/** The folder of the session that is shown: paths inside of it are said without it. */
export const Folder = createContext("");
