/**
 * Loaded before the program and each of its threads: `node --import ./src/compile-cache.mjs src/main.ts`. What the runtime
 * compiles of the sources is kept between runs, by their contents, which halves the processor time until all are loaded.
 * The main thread's is written when the process ends in order, as writing the first time takes a second. The other threads write theirs
 * once they are loaded, within 40 ms: so the next thread finds it, and the next start after one that was killed.
 *
 * JavaScript, so that it runs before anything needs the runtime's TypeScript transformer: the cache keeps sources without their types, and a
 * thread that finds all of its own there never loads the transformer, which takes 9 MB outside the heap and some more in it.
 */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/** Beside the program and not in a folder that others may write to: what lies in the cache is run. */
const FOLDER = fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));

// Where the folder cannot be written there is no cache, and no error.
enableCompileCache(FOLDER);
