import { extname } from "node:path";

const BINARY = new Set(
  (
    "bin dat data obj o a lib so dll dylib exe class pyc pyo node wasm rlib jar war ear apk deb rpm msi dmg iso " +
    "zip tar gz tgz bz2 xz zst 7z rar doc docx xls xlsx ppt pptx odt ods odp sqlite sqlite3 db mdb idx parquet npy pickle " +
    "ico bmp tif tiff heic avif psd ai sketch fig blend swf mp3 wav ogg flac aac m4a mp4 avi mov mkv webm wmv ttf otf woff woff2 eot"
  ).split(" "),
);

/** Whether a file is binary by its name: there is nothing in it to read as text, whatever its first bytes look like. */
export function isBinaryName(path: string): boolean {
  return BINARY.has(extname(path).slice(1).toLowerCase());
}
