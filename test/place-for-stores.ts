import { accessSync, constants, realpathSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 ** 30;

/**
 * The parent of the folders that tests create for stores: in memory if possible, because a store waits for the disk at each commit,
 * while what a killed process wrote survives in memory too. Tests of disks create separate folders.
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
