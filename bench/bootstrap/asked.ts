/** What the bench asks the service's main thread; the answer is an object whose only field has the same name. */

/** To collect what it no longer holds. */
export const COLLECT = "collect";
/** How long its longest turn was since this was asked last. */
export const STALL = "stall";
