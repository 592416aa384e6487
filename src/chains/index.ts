import type { Chain } from "../core/types.ts";

/** Real chains that can be served, by id. A chain = one file beside this one + one line here. */
export const chains: readonly Chain[] = [];
