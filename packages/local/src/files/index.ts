export { configFolder, userFile } from "./config-folder.ts";
export { createPrivateFile, exists, isFile, isFolder, makeFolder, makePrivateFolder } from "./folder.ts";
export { unlessMissing } from "./missing.ts";
export { readRegularFile, readRegularFileSync } from "./regular-file.ts";
