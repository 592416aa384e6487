/**
 * Loaded before anything else: `node --import ./src/fewer-arenas.mjs …`. The GNU C library keeps freed memory for each thread apart, in
 * up to eight arenas a core, and reads `MALLOC_ARENA_MAX` only when a process begins. So the program replaces itself once by itself with
 * two arenas, in some 30 ms, under the same process id. An operator's own value is kept; other systems and C libraries are not concerned.
 */
import { isMainThread } from "node:worker_threads";

const ARENAS = "2";
const isUnset = process.env.MALLOC_ARENA_MAX === undefined;
if (isMainThread && isUnset && process.platform === "linux" && process.execve !== undefined) {
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...process.env, MALLOC_ARENA_MAX: ARENAS });
}
