import { addressAt, hasWords, intAt, uintAt } from "../../core/abi.ts";
import type { PairSource } from "../../core/protocol.ts";
import type { Address, Deployment, Facts, Hex, Log, Pool } from "../../core/types.ts";

/**
 * How pools are found, and where their fee comes from: it is fixed when the pool is created (Uniswap and most forks, fact
 * `feePpm`), or the contract that the pool's fact `feesFrom` names states it at any time: a module of the factory
 * (Slipstream), or the pool itself (Ramses).
 */

/** PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool) */
const POOL_CREATED = "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118";
/** Slipstream's PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool) */
const POOL_CREATED_BY_SPACING = "0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2";

export const creations: readonly Hex[] = [POOL_CREATED, POOL_CREATED_BY_SPACING];

/** Whether a module of the factory states the pool's fee. */
export const asksFactory = ({ facts, address }: Pool): boolean =>
  facts.feesFrom !== undefined && facts.feesFrom !== address;

/** Whether the pool itself states its fee, which may change. */
export const asksPool = ({ facts, address }: Pool): boolean => facts.feesFrom === address;

/** Whether the deployment's pools state their fees: its record has the fact `fees`. */
const statesFees = ({ facts }: Deployment): boolean => facts.fees === "pool";

/** The pool that the factory announces. */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.address !== deployment.factory || log.topics.length !== 4) return undefined;
  const isBySpacing = log.topics[0] === POOL_CREATED_BY_SPACING;
  if (!(isBySpacing || log.topics[0] === POOL_CREATED) || !hasWords(log.data, isBySpacing ? 1 : 2))
    return undefined;
  const tokens = [addressAt(log.topics[1]!, 0), addressAt(log.topics[2]!, 0)] as const;
  const address = addressAt(log.data, isBySpacing ? 0 : 1);
  const tickSpacing = Number(isBySpacing ? intAt(log.topics[3]!, 0) : intAt(log.data, 0));
  if (isBySpacing)
    return poolOf(deployment, tokens, { address, facts: moduleFacts(deployment, tickSpacing) });
  const feePpm = Number(uintAt(log.topics[3]!, 0));
  return poolOf(deployment, tokens, {
    address,
    facts: factsOf(deployment, address, { feePpm, tickSpacing }),
  });
}

type Named = { readonly feePpm: number; readonly tickSpacing: number };

/** The facts of a pool whose factory names it by its first fee, which is its fee for ever unless the pool states another. */
const factsOf = (deployment: Deployment, address: Address, { feePpm, tickSpacing }: Named): Facts =>
  statesFees(deployment) ? { tickSpacing, feesFrom: address } : { feePpm, tickSpacing };

/**
 * The facts of a pool whose fee a module of the factory states. The record has the fact `blockSeconds` where the chain's blocks
 * follow each other faster than such modules assume.
 */
function moduleFacts({ factory, facts: { blockSeconds } }: Deployment, tickSpacing: number): Facts {
  const facts = { tickSpacing, feesFrom: factory };
  return blockSeconds === undefined ? facts : { ...facts, blockSeconds };
}

type Created = { readonly address: Address; readonly facts: Facts };

function poolOf(
  deployment: Deployment,
  tokens: readonly [Address, Address],
  { address, facts }: Created,
): Pool {
  return {
    ...{ id: address, address, protocol: "uniswap-v3", deployment: deployment.id },
    ...{ tokens, stateIds: [address], facts },
  };
}

/** getPool(address,address,uint24 fee) and getPool(address,address,int24 tickSpacing) */
const GET_POOL_BY_FEE: Hex = "0x1698ee82";
const GET_POOL_BY_SPACING: Hex = "0x28af8d0b";

/** Tick spacing by fee in ppm: Uniswap's four fees, and PancakeSwap's 0.25 %. */
const SPACING_OF_FEE = new Map([
  [100, 1],
  [500, 10],
  [2_500, 50],
  [3_000, 60],
  [10_000, 200],
]);

/**
 * Tick spacings that factories enable when they are created, and those that Aerodrome's enabled later (10, 500).
 *
 * @source velodrome-finance/slipstream contracts/core/CLFactory.sol; PharaohExchange/pharaoh-contracts
 * contracts/CL/core/RamsesV3Factory.sol; VeloraDEX/paraswap-dex-lib src/dex/uniswap-v3/config.ts (10, 500)
 */
const SLIPSTREAM_SPACINGS = [1, 10, 50, 100, 200, 500, 2_000];
const RAMSES_SPACINGS = [1, 5, 10, 50, 100, 200];

/** Pools of the usual fees; the record of a factory that identifies pools by spacing has the fact `keys`. */
export function byPair(deployment: Deployment): PairSource {
  const common = { target: deployment.factory, hashed: false, numbered: false, word: 0, details: () => [] };
  if (deployment.facts.keys === "tickSpacing") {
    const isRamses = statesFees(deployment);
    return {
      ...common,
      selector: GET_POOL_BY_SPACING,
      keys: isRamses ? RAMSES_SPACINGS : SLIPSTREAM_SPACINGS,
      poolOf: (tokens, named, tickSpacing = 0) => {
        const address = addressAt(named, 0);
        const facts = isRamses ? { tickSpacing, feesFrom: address } : moduleFacts(deployment, tickSpacing);
        return poolOf(deployment, tokens, { address, facts });
      },
    };
  }
  return {
    ...common,
    selector: GET_POOL_BY_FEE,
    keys: [...SPACING_OF_FEE.keys()],
    poolOf: (tokens, answer, feePpm = 0) => {
      const address = addressAt(answer, 0);
      const named = { feePpm, tickSpacing: SPACING_OF_FEE.get(feePpm) as number };
      return poolOf(deployment, tokens, { address, facts: factsOf(deployment, address, named) });
    },
  };
}
