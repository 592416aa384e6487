import { word } from "../../../core/abi.ts";
import { writeNamed } from "../../../core/named-addresses.ts";
import type { Address, At, Call, Hex, Pool } from "../../../core/types.ts";
import { DYNAMIC_FEE } from "../../shared/pool-managers/pool-manager.ts";
import { MANAGER, POOL_ID } from "../arbitrary.ts";
import { uniswapV4 } from "../index.ts";
import type { State } from "../state.ts";

/** A pool of the manager with a hook, whose contracts answer as a test says. */

export const words = (...values: readonly (bigint | number | string)[]): Hex =>
  `0x${values.map((value) => word(BigInt.asUintN(256, BigInt(value)))).join("")}`;

export const address = (last: number, bits = 0): Address =>
  `0x${word((BigInt(last) << 20n) + BigInt(bits)).slice(24)}`;

export const [TOKEN_0, TOKEN_1, VIEW] = [address(1), address(2), address(3)];
export const [FACTORY, LOCKER, CONVERTER, STRANGER] = [address(4), address(5), address(6), address(7)];
export const CLANKER = address(8, 0x28cc);
export const NOBODY = address(0);
export const Q96 = 2n ** 96n;
export const SWAP = "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f";
export const at: At = { blockNumber: 9, timestamp: 1000 };

/** A pool at price 1 of 10^21 liquidity from tick -6000 to 6000. */
export function poolOf(family: string, hooks: Address, fee: number = DYNAMIC_FEE): Pool {
  const helpers = writeNamed({
    [family]: hooks,
    "clanker-factory": FACTORY,
    "clanker-locker": LOCKER,
    "clanker-converter": CONVERTER,
    "zora-factory": FACTORY,
  });
  return {
    id: POOL_ID,
    address: MANAGER,
    protocol: "uniswap-v4",
    deployment: "test",
    tokens: [TOKEN_0, TOKEN_1],
    stateIds: [POOL_ID],
    facts: { fee, tickSpacing: 60, hooks, family, helpers, stateView: VIEW },
  };
}

/** StateView's answers for the pool, whose own fee is 777 parts per million. */
function viewed({ data }: Call): Hex {
  const last = BigInt.asIntN(256, BigInt(`0x${data.slice(74) || "0"}`));
  if (data.startsWith("0xc815641c")) return words(Q96, 0, 0, 777);
  if (data.startsWith("0xfa6793d5")) return words(10n ** 21n);
  // At spacing 60, ticks -6000 and 6000 are bits 156 of word -1 and 100 of word 0.
  if (data.startsWith("0x1c7ccb4c")) return words(last === -1n ? 1n << 156n : last === 0n ? 1n << 100n : 0n);
  return words(10n ** 21n, last < 0n ? 10n ** 21n : -(10n ** 21n));
}

/** Loads the pool with the answers of contracts other than StateView by calldata, by target or by selector. */
export function load(pool: Pool, told: Readonly<Record<string, Hex>>, when: At = at) {
  const answers: Hex[] = [];
  for (;;) {
    const calls = uniswapV4.reads(pool, answers);
    if (calls.length === 0) return uniswapV4.load(pool, answers, when);
    for (const call of calls) {
      const answer = told[call.data] ?? told[call.to] ?? told[call.data.slice(0, 10)];
      answers.push(answer ?? (call.to === VIEW ? viewed(call) : "0x"));
    }
  }
}

type Sale = { readonly i: number; readonly amount: bigint; readonly side?: "in" | "out" };

export function trade(pool: Pool, state: State, { i, amount, side = "in" }: Sale) {
  return uniswapV4.quote(new Map([[POOL_ID, state]]), pool, i, 1 - i, amount, side, at);
}

/** Output of 10^21 liquidity at price 1, by the closed form, for an input net of fees. */
export const paid = (net: bigint) => (net * 10n ** 21n) / (10n ** 21n + net);
