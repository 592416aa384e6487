import type { Protocol, Registry } from "../../src/core/protocol.ts";
import { protocols as genuine } from "../../src/protocols/index.ts";

/** Amounts at which the planted design does what no design may. */
export const FAULTS = {
  loops: 1_000_000_000_000_000_007n,
  hoards: 1_000_000_000_000_000_011n,
  throws: 1_000_000_000_000_000_013n,
};

const hoard: unknown[] = [];

const uniswapV2 = genuine.get("uniswap-v2")!;

const planted: Protocol = {
  ...uniswapV2,
  quote: (...given) => {
    const amount = given[4];
    while (amount === FAULTS.loops);
    while (amount === FAULTS.hoards) hoard.push(new Array(100_000).fill(hoard.length));
    if (amount === FAULTS.throws)
      queueMicrotask(() => {
        throw new Error("a fault outside every search");
      });
    return uniswapV2.quote(...given);
  },
};

/** The genuine designs with faults in one of them. */
export const protocols: Registry = new Map([...genuine, ["uniswap-v2", planted]]);
