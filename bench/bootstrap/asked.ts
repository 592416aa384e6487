/** Asks the service's main thread to collect what it no longer holds; the same word is the answer. */
export const COLLECT = "collect";
