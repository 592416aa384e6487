import { packedUint } from "../../core/abi.ts";
import { stepKinds, wrapperVariants } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Curve, Protocol } from "../../core/protocol.ts";
import type { At, Deployment, Hex, Pool } from "../../core/types.ts";
import { type Order, quoteOwnState, type Trade } from "../shared/own-state.ts";
import { addressFact } from "../shared/record-address.ts";
import { roomAfter } from "../shared/share-price.ts";
import { load, reads } from "./reads.ts";
import { priceAt, type State } from "./state.ts";

/** Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares) */
const DEPOSIT: Hex = "0xdcbc1c05240f31ff3ad067ef1ee35ce4997762752e3a095284754544f4c709d7";
/** Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares) */
const WITHDRAW: Hex = "0xfbde797d201c681b91056529119e0b02407c7bb96a4a2c75c01fc9667232c8db";

const topics: readonly Hex[] = [DEPOSIT, WITHDRAW];

/** Gas units through the router. */
const DEPOSIT_GAS = 110_000;
const REDEEM_GAS = 100_000;

const MAX_AMOUNT = 2n ** 128n - 1n;

/** The vault in doubles. */
type Mirror = {
  /** Shares per unit of the asset; 0 if the vault is empty. */
  readonly sharesOfAsset: number;
  readonly assetsOfShare: number;
  readonly room: number;
  /** Share supply, the limit of redemptions. */
  readonly shares: number;
};

/** @throws Error if the record does not name the asset and a known kind: it is wrong */
function seeds(deployment: Deployment): readonly Pool[] {
  const { kind, pot } = deployment.facts;
  const vault = deployment.factory;
  const asset = addressFact(deployment, "asset");
  if (kind !== "shares" && kind !== "savings")
    throw new Error(`deployment ${deployment.id}: kind must be shares or savings, not ${kind}`);
  return [
    {
      id: vault,
      address: vault,
      protocol: "erc4626",
      deployment: deployment.id,
      tokens: [asset, vault],
      stateIds: [vault],
      facts: pot === undefined ? { kind } : { kind, pot },
    },
  ];
}

function gas(i: number): number {
  return i === 0 ? DEPOSIT_GAS : REDEEM_GAS;
}

/** Deposits or redeems. Outputs are rounded down; an exact output costs the least input that pays it. */
function trade(state: State, { i, amount, side, at }: Order): Trade<State> | undefined {
  const price = priceAt(state, at.timestamp);
  if (price === undefined || amount <= 0n || amount > MAX_AMOUNT) return undefined;
  const [give, take] = i === 0 ? [price.shares, price.assets] : [price.assets, price.shares];
  const amountIn = side === "in" ? amount : (amount * take + give - 1n) / give;
  const amountOut = side === "in" ? (amount * give) / take : amount;
  if (amountOut === 0n || amountIn > MAX_AMOUNT) return undefined;
  const next = after(state, i, amountIn, (amountIn * give) / take);
  return next === undefined ? undefined : { amountIn, amountOut, gas: gas(i), next };
}

/** The state after a trade; undefined if a deposit exceeds the vault's limit, or a redemption exceeds its holdings. */
function after(state: State, i: number, sold: bigint, paid: bigint): State | undefined {
  if (state.kind === "savings") return state;
  if (i === 0 && sold > state.room) return undefined;
  const [assets, shares] =
    i === 0 ? [state.assets + sold, state.shares + paid] : [state.assets - paid, state.shares - sold];
  const room = i === 0 ? roomAfter(state.room, sold) : state.room;
  return assets > 0n && shares > 0n ? { ...state, assets, shares, room } : undefined;
}

function mirror(state: State, _pool: Pool, at: At): Mirror {
  const price = priceAt(state, at.timestamp);
  const rate = price === undefined ? 0 : Number(price.shares) / Number(price.assets);
  const limited = state.kind === "shares";
  return {
    sharesOfAsset: rate,
    assetsOfShare: rate === 0 ? 0 : 1 / rate,
    room: limited ? Number(state.room) : Number.POSITIVE_INFINITY,
    shares: limited ? Number(state.shares) : Number.POSITIVE_INFINITY,
  };
}

function limit(pool: Mirror, i: number): number {
  const most = i === 0 ? pool.room : pool.shares;
  return pool.sharesOfAsset === 0 ? 0 : Math.min(most, Number(MAX_AMOUNT));
}

function rate(pool: Mirror, i: number): number {
  return i === 0 ? pool.sharesOfAsset : pool.assetsOfShare;
}

function curve(pool: Mirror, i: number): Curve {
  return {
    x: [0],
    y: [0],
    m: [rate(pool, i)],
    c: [0],
    end: limit(pool, i),
  };
}

/**
 * ERC-4626 vaults: token 0 is the asset, token 1 the vault's share.
 *
 * @source OpenZeppelin contracts/token/ERC20/extensions/ERC4626.sol; transmissions11/solmate src/tokens/ERC4626.sol;
 *   makerdao/sdai src/SavingsDai.sol and src/SUsds.sol
 */
export const erc4626: Protocol<State, Mirror> = {
  name: "erc4626",
  topics,
  creations: [],
  byPair: () => undefined,
  hinted: () => [],
  bitmap: () => undefined,
  seeds,
  discover: () => undefined,
  touches: (log) => (topics.includes(log.topics[0]!) ? [log.address] : []),
  reads,
  load,
  apply: (state, log) => (topics.includes(log.topics[0]!) ? "reload" : state),
  // A vault's assets grow without a log of the vault.
  stale: (state, at) => state.readFor !== at.blockNumber,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat: (pool, i, _j, x) => (x > 0 && x <= limit(pool, i) ? x * rate(pool, i) : 0),
  curve: (pool, i) => curve(pool, i),
  joint: noJoint,
  gas: (_pool, i) => gas(i),
  encode: (pool, _state, i) => ({
    kind: stepKinds.erc4626,
    target: pool.address,
    zeroForOne: i === 0,
    extra: packedUint(wrapperVariants.erc4626, 1),
    intake: i === 0 ? "approval" : "held",
    paysAnyone: true,
  }),
};
