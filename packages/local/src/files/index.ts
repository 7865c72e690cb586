export { isFile, isFolder, makeFolder, makePrivateFolder } from "./folder.ts";
export { readRegularFile, readRegularFileSync } from "./regular-file.ts";
