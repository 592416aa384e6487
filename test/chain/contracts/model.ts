import type { Address, Hex } from "../../../src/core/types.ts";
import type { BlockRef, Chain } from "../blocks/chain.ts";
import type { ModelAnswer } from "../evm/machine.ts";
import { MULTICALL3, STATE_VIEW } from "../model/families.ts";
import { abiText, mix, word, words } from "../model/hash.ts";
import { depthUsd, isPair, type TickState } from "../model/states.ts";
import { type Range, ZERO } from "../model/universe.ts";
import { createManagerStorage } from "./manager.ts";
import { multicall } from "./multicall.ts";
import { S } from "./selectors.ts";
import { bitmapOf, slot0Answer, tickAt, ticksAnswer } from "./ticks.ts";

/** What a contract of the chain answers at a block; undefined: there is no code at the address. */
export type Contracts = (to: Address, data: Hex, block: BlockRef) => ModelAnswer | undefined;

/** Gas inside the callee, cold reads included, as a real node traces the protocols' own bytecode; `lens.test.ts` holds it to that. */
const GAS = {
  token: 2549,
  text: 3200,
  getPair: 2564,
  allPairs: 4591,
  length: 2365,
  getPool: 2666,
  reserves: 2504,
  token01: 2370,
  slot0: 2696,
  liquidity: 2428,
  ticks: 9199,
  word: 2525,
  immutable: 251,
  load: 2375,
  stateView: 8100,
  unknown: 200,
} as const;
const COLD_SLOT = 2000;
const COLD_ACCOUNT = 2500;

function argument(data: Hex, k: number): Hex {
  return `0x${data.slice(10 + k * 64, 74 + k * 64)}`;
}

function addressArgument(data: Hex, k: number): Address {
  return `0x${data.slice(34 + k * 64, 74 + k * 64)}`.toLowerCase() as Address;
}

function numberArgument(data: Hex, k: number): number {
  const value = argument(data, k);
  return value.length < 66 ? 0 : Number(BigInt.asIntN(256, BigInt(value)));
}

function answered(data: Hex, gas: number, slots = 1): ModelAnswer {
  return { ok: true, data, gas, cold: Math.min(gas, slots * COLD_SLOT) };
}

const REVERTED: ModelAnswer = { ok: false, data: "0x", gas: GAS.unknown, cold: 0 };

/** Who wants to know which pools were read. */
export type Reads = {
  /** Called with each pool whose price or reserves were read. */
  readonly onState?: (pool: number) => void;
  /** Called with each pool that a factory named by its number. */
  readonly onListed?: (pool: number) => void;
};

const ignore = () => undefined;

export function createContracts(
  chain: Chain,
  { onState = ignore, onListed = ignore }: Reads = {},
): Contracts {
  const { universe } = chain;
  const byFactory = new Map(universe.ranges.map((range) => [range.factory, range]));
  const storage = createManagerStorage(chain, onState);
  const contracts: Contracts = (to, data, block) => {
    const range = byFactory.get(to);
    if (range !== undefined) return factory({ chain, range, block, data, storage, onListed });
    if (to === STATE_VIEW) return stateView({ chain, data, block, onState });
    if (to === MULTICALL3) return multicall(data, block, (at, inner) => contracts(at, inner, block));
    if (to === IDENTITY) return answered(data, 20, 0);
    const pool = universe.byKey(to);
    if (pool !== undefined) return poolAnswer({ chain, data, block, onState }, pool);
    const token = universe.tokens.indexOf(to);
    return token === undefined ? undefined : tokenAnswer(chain, token, { data, block });
  };
  return contracts;
}

const IDENTITY: Address = `0x${"00".repeat(19)}04`;

type Asked = { readonly data: Hex; readonly block: BlockRef };
type PoolCall = Asked & { readonly chain: Chain; readonly onState: (pool: number) => void };
type FactoryCall = Asked & {
  readonly chain: Chain;
  readonly range: Range;
  readonly storage: ReturnType<typeof createManagerStorage>;
  readonly onListed: (pool: number) => void;
};

function factory(call: FactoryCall): ModelAnswer {
  switch (call.range.kind) {
    case "v2":
      return pairFactory(call);
    case "v3":
      return poolFactory(call);
    case "v4":
      return manager(call);
  }
}

function exists(chain: Chain, pool: number | undefined, block: BlockRef): pool is number {
  return pool !== undefined && chain.state(pool, block) !== undefined;
}

function pairFactory({ chain, range, data, block, onListed }: FactoryCall): ModelAnswer {
  const { universe } = chain;
  switch (data.slice(0, 10)) {
    case S.getPair: {
      const pool = lookUp(chain, range, {
        a: addressArgument(data, 0),
        b: addressArgument(data, 1),
        fee: undefined,
      });
      return answered(words(exists(chain, pool, block) ? universe.key(pool) : 0n), GAS.getPair);
    }
    case S.allPairs: {
      const k = numberArgument(data, 0);
      if (!(k >= 0 && k < chain.made(range, block))) return { ...REVERTED, gas: GAS.length };
      onListed(range.first + k);
      return {
        ...answered(words(universe.key(range.first + k)), GAS.allPairs, 2),
        once: [`${range.factory} length`, COLD_SLOT],
      };
    }
    case S.allPairsLength:
      return answered(words(chain.made(range, block)), GAS.length);
    default:
      return REVERTED;
  }
}

function poolFactory({ chain, range, data, block }: FactoryCall): ModelAnswer {
  switch (data.slice(0, 10)) {
    case S.getPool: {
      const fee = numberArgument(data, 2);
      const pool = lookUp(chain, range, { a: addressArgument(data, 0), b: addressArgument(data, 1), fee });
      return answered(words(exists(chain, pool, block) ? chain.universe.key(pool) : 0n), GAS.getPool);
    }
    case S.feeAmountTickSpacing:
      return answered(
        words(range.tiers.find(([fee]) => fee === numberArgument(data, 0))?.[1] ?? 0),
        GAS.length,
      );
    default:
      return REVERTED;
  }
}

type Wanted = { readonly a: Address; readonly b: Address; readonly fee: number | undefined };

/** The pool of two tokens, by a list that is made of each factory once. */
function lookUp(chain: Chain, range: Range, { a, b, fee }: Wanted): number | undefined {
  const { tokens } = chain.universe;
  const [one, two] = [tokens.indexOf(a), tokens.indexOf(b)];
  if (one === undefined || two === undefined) return undefined;
  const tier = fee === undefined ? 0 : range.tiers.findIndex(([feePpm]) => feePpm === fee);
  return tier < 0 ? undefined : indexOf(chain, range).get(pairKey(one, two, tier));
}

/** Numbers of tokens stay below 2^21 and tiers below 2^3. */
function pairKey(one: number, two: number, tier: number): number {
  return (Math.min(one, two) * 2 ** 21 + Math.max(one, two)) * 8 + tier;
}

const indices = new WeakMap<Range, Map<number, number>>();

function indexOf({ universe }: Chain, range: Range): Map<number, number> {
  const kept = indices.get(range);
  if (kept !== undefined) return kept;
  const index = new Map<number, number>();
  for (let pool = range.first; pool < range.first + range.count; pool++) {
    const [a, b] = universe.pair(pool);
    index.set(pairKey(a, b, range.tiers.indexOf(universe.tier(pool))), pool);
  }
  indices.set(range, index);
  return index;
}

function manager({ data, block, storage }: FactoryCall): ModelAnswer {
  switch (data.slice(0, 10)) {
    case S.extsload:
      return answered(storage(argument(data, 0), block), GAS.load);
    case S.extsloadMany: {
      const first = BigInt(argument(data, 0));
      const count = numberArgument(data, 1);
      const values = Array.from({ length: count }, (_, k) => storage(`0x${word(first + BigInt(k))}`, block));
      return answered(words(32, count, ...values), 300 + count * 2200, count);
    }
    case S.extsloadList: {
      const count = numberArgument(data, 1);
      const values = Array.from({ length: count }, (_, k) => storage(argument(data, 2 + k), block));
      return answered(words(32, count, ...values), 300 + count * 2200, count);
    }
    default:
      return REVERTED;
  }
}

/** The view's own storage and the manager's account are paid for once. */
function stateView(call: PoolCall): ModelAnswer {
  return { ...viewAnswer(call), once: ["state view", COLD_SLOT + COLD_ACCOUNT] };
}

function viewAnswer({ chain, data, block, onState }: PoolCall): ModelAnswer {
  const id = argument(data, 0);
  const pool = id.length === 66 ? chain.universe.byKey(id) : undefined;
  const held = pool === undefined ? undefined : chain.state(pool, block);
  const state = held === undefined || isPair(held) ? EMPTY : held;
  const gas = GAS.stateView;
  switch (data.slice(0, 10)) {
    case S.getSlot0:
      if (pool !== undefined) onState(pool);
      return answered(
        words(state.sqrtPriceX96, state.tick, 0n, state.sqrtPriceX96 > 0n ? state.feePpm : 0),
        gas,
      );
    case S.getLiquidity:
      return answered(words(state.liquidity), gas);
    case S.getTickBitmap:
      return answered(words(bitmapOf(state).get(numberArgument(data, 1)) ?? 0n), gas);
    case S.getTickLiquidity:
      return answered(words(...tickAt(state, numberArgument(data, 1))), gas);
    default:
      return REVERTED;
  }
}

const EMPTY: TickState = {
  feePpm: 0,
  tickSpacing: 1,
  sqrtPriceX96: 0n,
  tick: 0,
  liquidity: 0n,
  ticks: [],
  nets: [],
  grosses: [],
  lowest: 0,
  highest: 0,
};

function poolAnswer({ chain, data, block, onState }: PoolCall, pool: number): ModelAnswer | undefined {
  const { universe } = chain;
  const state = chain.state(pool, block);
  const range = universe.rangeOf(pool);
  if (state === undefined || range.kind === "v4") return undefined;
  const isOld = isPair(state);
  const own = isOld ? GAS.token01 : GAS.immutable;
  switch (data.slice(0, 10)) {
    case S.token0:
      return answered(words(universe.pairAddresses(pool)[0]), own, isOld ? 1 : 0);
    case S.token1:
      return answered(words(universe.pairAddresses(pool)[1]), own, isOld ? 1 : 0);
    case S.factory:
      return answered(words(range.factory), own, isOld ? 1 : 0);
  }
  if (data.startsWith(S.getReserves) || data.startsWith(S.slot0)) onState(pool);
  if (isPair(state)) {
    if (!data.startsWith(S.getReserves))
      return data.startsWith(S.totalSupply) ? answered(words(10n ** 18n), GAS.token) : REVERTED;
    return answered(words(...state.reserves, block.timestamp % 2 ** 32), GAS.reserves);
  }
  return tickPoolAnswer(universe.tier(pool), state, data);
}

function tickPoolAnswer([fee, spacing]: readonly [number, number], state: TickState, data: Hex): ModelAnswer {
  switch (data.slice(0, 10)) {
    case S.slot0:
      return answered(slot0Answer(state), GAS.slot0);
    case S.liquidity:
      return answered(words(state.liquidity), GAS.liquidity);
    case S.ticks:
      return answered(ticksAnswer(state, numberArgument(data, 0)), GAS.ticks, 4);
    case S.tickBitmap:
      return answered(words(bitmapOf(state).get(numberArgument(data, 0)) ?? 0n), GAS.word);
    case S.fee:
      return answered(words(fee), GAS.immutable, 0);
    case S.tickSpacing:
      return answered(words(spacing), GAS.immutable, 0);
    default:
      return REVERTED;
  }
}

function tokenAnswer(chain: Chain, token: number, { data, block }: Asked): ModelAnswer {
  const { tokens } = chain.universe;
  switch (data.slice(0, 10)) {
    case S.name:
      return answered(abiText(tokens.name(token)), GAS.text);
    case S.symbol:
      return answered(abiText(tokens.symbol(token)), GAS.text);
    case S.decimals:
      return answered(words(tokens.decimals(token)), GAS.token);
    case S.totalSupply:
      return answered(words(BigInt(10 ** 9) * 10n ** BigInt(tokens.decimals(token))), GAS.token);
    case S.balanceOf:
      return answered(words(balanceOf(chain, token, { owner: addressArgument(data, 0), block })), GAS.token);
    case S.allowance:
      return answered(words(0n), GAS.token);
    default:
      return REVERTED;
  }
}

type Owning = { readonly owner: Address; readonly block: BlockRef };

/** What a pool holds of its tokens; wallets hold nothing, and the manager of v4 holds a fixed amount of everything. */
function balanceOf(chain: Chain, token: number, { owner, block }: Owning): bigint {
  const { universe } = chain;
  const perUsd = 10 ** universe.tokens.decimals(token) / universe.tokens.price(token);
  if (owner === ZERO) return 0n;
  if (universe.ranges.some(({ kind, factory }) => kind === "v4" && factory === owner)) {
    return BigInt(Math.floor(perUsd * (1e4 + (mix(universe.seed, token, 4) % 1e6))));
  }
  const pool = universe.byKey(owner);
  const state = pool === undefined ? undefined : chain.state(pool, block);
  if (pool === undefined || state === undefined) return 0n;
  const side = universe.pair(pool).indexOf(token);
  if (side < 0) return 0n;
  if (isPair(state)) return state.reserves[side] as bigint;
  return state.sqrtPriceX96 === 0n ? 0n : BigInt(Math.floor((depthUsd(universe, pool) / 2) * perUsd));
}
