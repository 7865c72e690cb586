import { accessSync, constants, realpathSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 ** 30;

/**
 * Where tests make the folders of their stores: in memory where that is possible, for a store waits for the disk with each commit,
 * and what a killed process has written is there all the same. Tests of disks make their own.
 */
export const PLACE_FOR_STORES = hasRoom() ? realpathSync(MEMORY) : tmpdir();

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}
