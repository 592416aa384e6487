import { encodePlain } from "../../../src/core/codec.ts";
import type { StateId } from "../../../src/core/types.ts";
import { protocols } from "../../../src/protocols/index.ts";
import { readMarket } from "../../routing/market/market.ts";
import { createMoves, moveEverySecond } from "./moves.ts";

/**
 * What stands for the chain: it decides what each block changes in a process of its own, so that the service under load has no part in it. For each
 * number of a block that it is asked, it tells the states that the block leaves, as the bytes of `core/codec.ts`.
 *
 * Arguments: the market file, pools changed by a block.
 */
const [file = "", changes = "0"] = process.argv.slice(2);

export type BlockStates = readonly (readonly [StateId, Uint8Array])[];

const { pools, states, at } = readMarket([file]);
const known = pools.filter(({ protocol }) => protocols.has(protocol));
const count = Math.min(Number(changes), known.length);
const move = createMoves(protocols, () => ({ get: (id) => states.get(id) }), at);
if (count > 0) moveEverySecond(known, move, (id, state) => states.set(id, state));

/** A run of pools, the next ones each time. */
function blockOf(number: number): BlockStates {
  const touched = Array.from({ length: count }, (_, k) => known[(number * count + k) % known.length]!);
  return touched.flatMap(move).map(([id, state]) => {
    states.set(id, state);
    return [id, encodePlain(state)] as const;
  });
}

process.on("message", (number: number) => process.send?.(blockOf(number)));
process.on("disconnect", () => process.exit(0));
