import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes the folder of DATA_DIR where it is missing.
 *
 * @throws Error that names the setting and the folder where it is no folder, or cannot be written
 */
export function openDataFolder(folder: string): void {
  try {
    make(folder);
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new Error(`DATA_DIR: "${folder}" is no folder that can be written (${(cause as Error).message})`, {
      cause,
    });
  }
}

/** Level by level: to make all at once never ends where the kernel has no place for any, as under /proc. */
function make(folder: string): void {
  const known = statSync(folder, { throwIfNoEntry: false });
  if (known?.isDirectory()) return;
  if (known === undefined && dirname(folder) !== folder) make(dirname(folder));
  mkdirSync(folder);
}
