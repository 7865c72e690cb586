export { configFolder, userFile } from "./config-folder.ts";
export {
  createPrivateFile,
  exists,
  isFile,
  isFolder,
  isMissing,
  makeFolder,
  makePrivateFolder,
} from "./folder.ts";
export { isProgram, onPath } from "./on-path.ts";
export { readRegularFile, readRegularFileSync, unlessMissing } from "./regular-file.ts";
