/**
 * What every property shares. It draws the same cases in each run, so that a change is refused for what it did and not for
 * its luck: `SEED=random npm run unit` looks at new ones; a property that fails tells its seed, and `SEED=N` shows those of N
 * again. One that hangs ends; how fast it is on a busy machine is not asked.
 */
import fc from "fast-check";

const wanted = process.env.SEED ?? "1";
const seed = wanted === "random" ? Date.now() & 0x7fffffff : Number(wanted);
if (!Number.isSafeInteger(seed)) throw new Error(`SEED is a whole number or "random", not "${wanted}"`);
fc.configureGlobal({ seed, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true });
