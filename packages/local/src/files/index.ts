export { configFolder, userFile } from "./config-folder.ts";
export { createPrivateFile, exists, isFile, isFolder, makeFolder, makePrivateFolder } from "./folder.ts";
export { readRegularFile, readRegularFileSync, unlessMissing } from "./regular-file.ts";
