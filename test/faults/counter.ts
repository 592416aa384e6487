import { encodeAbiParameters, keccak256, toHex } from "viem/utils";
import type { Protocol } from "../../src/core/protocol.ts";
import type { Address, Chain, Deployment, Hex, Pool } from "../../src/core/types.ts";

/**
 * The smallest protocol that has every way of changing: a counter that is set (`Set`), moved (`Moved`: the state after it needs
 * the state before it), changed without saying how (`Changed`: must be read), and that may age.
 */
export type State = { readonly value: bigint; readonly readAt: number };

export const CREATED = keccak256(toHex("Created(address)"));
export const SET = keccak256(toHex("Set(uint256)"));
export const MOVED = keccak256(toHex("Moved(uint256)"));
export const CHANGED = keccak256(toHex("Changed()"));
export const VALUE: Hex = "0x3fa4f245";

export const FACTORY: Address = "0x00000000000000000000000000000000000000fa";
export const OTHER_FACTORY: Address = "0x00000000000000000000000000000000000000fb";
export const WRAPPED: Address = "0x00000000000000000000000000000000000000ee";
export const MULTICALL: Address = "0x00000000000000000000000000000000000000ca";

export const deployment: Deployment = {
  id: "counters",
  protocol: "counter",
  name: "Counter",
  factory: FACTORY,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "test",
};

export const counterChain = (id = 31337): Chain => ({
  id,
  name: "Counters",
  shortname: "cnt",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: WRAPPED,
  multicall: MULTICALL,
  blockTimeMs: 1000,
  deployments: [deployment],
});

export function word(value: bigint): Hex {
  return encodeAbiParameters([{ type: "uint256" }], [value]);
}

export function poolOf(address: Address): Pool {
  return {
    id: address,
    address,
    protocol: "counter",
    deployment: "counters",
    tokens: [WRAPPED, `0x77${address.slice(4)}`],
    stateIds: [address],
    facts: {},
  };
}

export type CounterOptions = {
  /** Seconds after which a state must be read again; 0 = never. */
  readonly agesAfter?: number;
  /** Throws on this pool, wherever it can. */
  readonly cursed?: Address;
  /** Misreads `Moved`: the state drifts from the chain. */
  readonly deaf?: boolean;
};

export function counter({
  agesAfter = 0,
  cursed,
  deaf = false,
}: CounterOptions = {}): Protocol<State, number> {
  const curse = (address: Address) => {
    if (address === cursed) throw new Error("cursed");
  };
  return {
    name: "counter",
    topics: [CREATED, SET, MOVED, CHANGED],
    creations: [CREATED],
    byPair: () => undefined,
    hinted: () => [],
    bitmap: () => undefined,
    seeds: () => [],
    discover: (log) => (log.topics[0] === CREATED ? poolOf(`0x${log.data.slice(26)}`) : undefined),
    touches: (log) => (log.topics[0] === CREATED ? [] : [log.address]),
    reads: (pool, answers) => (answers.length === 0 ? [{ to: pool.address, data: VALUE }] : []),
    load(pool, [answer], at) {
      curse(pool.address);
      if (answer === undefined || answer === "0x") return { refusal: "no value" };
      return { value: BigInt(answer), readAt: agesAfter > 0 ? at.timestamp : 0 };
    },
    apply(state, log) {
      curse(log.address);
      if (log.topics[0] === SET) return { ...state, value: BigInt(log.data) };
      if (log.topics[0] === MOVED) return deaf ? state : { ...state, value: state.value + BigInt(log.data) };
      return "reload";
    },
    stale: (state, at) => agesAfter > 0 && at.timestamp - state.readAt > agesAfter,
    quote: (...[view, pool, , , amount]) => {
      const state = view.get(pool.stateIds[0]) as State;
      return { amountIn: amount, amountOut: amount + state.value, gas: 50_000, writes: [] };
    },
    mirror: (state) => Number(state.value),
    quoteFloat: (mirror, _i, _j, x) => x + mirror,
    curve: () => undefined,
    joint: () => undefined,
    gas: () => 50_000,
    encode: (pool) => ({
      kind: 0,
      target: pool.address,
      zeroForOne: true,
      extra: "0x",
      intake: "transfer",
      paysAnyone: true,
    }),
  };
}
