import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Finished parts of a run, so that a run that was cut short goes on where it ended. */
export type Cache = {
  /** The stored value, or what `make` gives, which is stored. */
  readonly keep: <T>(name: string, make: () => T | Promise<T>) => Promise<T>;
  readonly folder: string;
};

/** @param key what the parts depend on: the commit and the options */
export function openCache(folder: string, key: string): Cache {
  const own = join(folder, key);
  mkdirSync(own, { recursive: true });
  return {
    folder: own,
    async keep<T>(name: string, make: () => T | Promise<T>): Promise<T> {
      const path = join(own, `${name}.json`);
      try {
        return JSON.parse(readFileSync(path, "utf8")) as T;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
      const value = await make();
      // A file that is there is whole.
      writeFileSync(`${path}.new`, JSON.stringify(value));
      renameSync(`${path}.new`, path);
      return value;
    },
  };
}
