import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates the folder of the setting DATA_DIR where it is missing.
 *
 * @throws Error that names the setting and the path, where the path is not a folder or cannot be written
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

/**
 * Creates the missing folders of a path one by one. Node's recursive `mkdirSync` does not return where the kernel
 * refuses new folders, as under /proc.
 */
function make(folder: string): void {
  const known = statSync(folder, { throwIfNoEntry: false });
  if (known?.isDirectory()) return;
  if (known === undefined && dirname(folder) !== folder) make(dirname(folder));
  mkdirSync(folder);
}
