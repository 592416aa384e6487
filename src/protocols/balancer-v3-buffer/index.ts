import { addressAt } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import { readNamed } from "../../core/named-addresses.ts";
import type { Protocol, StepCode } from "../../core/protocol.ts";
import type { Address, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { load, reads } from "./reads.ts";
import type { State } from "./state.ts";
import { leastGas, trade } from "./swap.ts";

/** Logs of the vault after which a buffer is read again; topics[1] is the wrapper. */
const topics: readonly Hex[] = [
  // Wrap, Unwrap(address indexed wrappedToken, uint256, uint256, bytes32 bufferBalances)
  "0x3771d13c67011e31e12031c54bb59b0bf544a80b81d280a3711e172aa8b7f47b",
  "0xeeb740c90bf2b18c9532eb7d473137767036d893dff3e009f32718f821b2a4c0",
  // LiquidityAddedToBuffer, LiquidityRemovedFromBuffer(address indexed wrappedToken, uint256, uint256, bytes32)
  "0x75c4dc5f23640eeba7d404d9165f515fc3d9e23a5c8b6e2d09b4b9da56ff00a9",
  "0x44d97b36e99b590b3d2875aad3b167b1d7fb1e063f3f1325a1eeac76caee5113",
];

/** The buffer in doubles; index 0 wraps, 1 unwraps. */
type Mirror = {
  readonly rates: readonly [number, number];
  /** The largest sale of one swap, and of all swaps together. */
  readonly most: readonly [number, number];
  readonly mostOfAll: readonly [number, number];
  readonly least: number;
  readonly gas: readonly [number, number];
};

/** Id of a buffer. It contains the vault, since a wrapper may be a pool of another protocol too. */
function idOf(vault: Address, wrapper: Address): Hex {
  return `${vault}${wrapper.slice(2)}`;
}

/**
 * The buffers of a deployment. It names the vault as its factory, and lists the asset of each wrapper in its fact
 * `buffers` (`writeNamed`), since a buffer's logs do not name it.
 *
 * @throws Error if the list is missing or malformed: the record is wrong
 */
function seeds({ id, factory, facts }: Deployment): readonly Pool[] {
  return readNamed(facts.buffers, `deployment ${id}: buffers`).map(({ name, address: asset }) => {
    const wrapper = name as Address;
    if (!/^0x[0-9a-f]{40}$/.test(wrapper))
      throw new Error(`deployment ${id}: buffers: the wrapper ${wrapper} is no address`);
    const key = idOf(factory, wrapper);
    return {
      id: key,
      address: factory,
      protocol: "balancer-v3-buffer",
      deployment: id,
      tokens: [asset, wrapper],
      stateIds: [key],
      facts: {},
    };
  });
}

function touches(log: Log): readonly string[] {
  const [topic, wrapper] = log.topics;
  if (wrapper === undefined || !topics.includes(topic!)) return [];
  return [idOf(log.address, addressAt(wrapper, 0))];
}

/** The mirror of a state. The largest sale is limited by the stock or by the wrapper. */
function mirror(state: State): Mirror {
  const assets = Number(state.assets);
  const shares = Number(state.shares);
  const underlying = Number(state.underlying);
  const wrapped = Number(state.wrapped);
  const wraps = shares / assets;
  const unwraps = assets / shares;
  const redeemable = Math.min(Number(state.redeemable), state.moves ? shares : Number.POSITIVE_INFINITY);
  return {
    rates: [wraps, unwraps],
    most: [
      mostOf((wrapped + 1) * unwraps + 1, Number(state.room) - (underlying - wrapped * unwraps) / 2),
      mostOf((underlying + 1) * wraps + 1, redeemable - (wrapped - underlying * wraps) / 2),
    ],
    mostOfAll: [
      wrapped * unwraps + Number(state.room) + MOST_ROUNDED,
      underlying * wraps + redeemable + MOST_ROUNDED,
    ],
    least: Number(state.least),
    gas: [leastGas(state, 0), leastGas(state, 1)],
  };
}

/** Upper limit of a stock in the vault. */
const MAX_STOCK = 2 ** 128;

function mostOf(ofStock: number, ofWrapper: number): number {
  return Math.min(Math.max(ofStock, ofWrapper), MAX_STOCK);
}

/** Units by which the sales of a route may exceed the stock and what the wrapper takes, as stocks are rounded. */
const MOST_ROUNDED = 1000;

/**
 * Upper bound on the gain of any number of swaps. One swap is paid either from the stock or by the wrapper, but a swap that the
 * wrapper pays also fills the stock, from which the next one is paid. Whatever their order, the vault pays no more of a token than
 * it had in stock and received from the wrapper. A swap back costs at least what the amount gained, so it adds nothing although it
 * fills the stock.
 */
function gain({ rates, mostOfAll }: Mirror, [asset, share]: readonly number[]): number {
  const wrapping = (rates[0] * share! - asset!) * mostOfAll[0];
  const unwrapping = (rates[1] * asset! - share!) * mostOfAll[1];
  return Math.max(0, wrapping, unwrapping);
}

/** Output in doubles; the vault keeps one unit of the input and one of the output. */
function quoteFloat({ rates, most, least }: Mirror, i: number, _j: number, x: number): number {
  const out = (x - 1) * rates[i]! - 1;
  return x >= least && out >= least && x <= most[i]! ? out : 0;
}

function encode(pool: Pool): StepCode {
  return {
    kind: stepKinds.balancerV3,
    target: pool.address,
    zeroForOne: false,
    extra: pool.tokens[1]!,
    intake: "callback",
    paysAnyone: true,
  };
}

/** ERC-4626 buffers of Balancer's Vault v3: token 0 is the asset, token 1 the wrapper. */
export const balancerV3Buffer: Protocol<State, Mirror> = {
  name: "balancer-v3-buffer",
  topics,
  creations: [],
  byPair: () => undefined,
  hinted: () => [],
  bitmap: () => undefined,
  seeds,
  discover: () => undefined,
  touches,
  reads,
  load,
  apply: (state, log) => (touches(log).length > 0 ? "reload" : state),
  stale: (state, at) => state.readFor !== at.blockNumber,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat,
  curve: (mirror, i, j) => sampledCurve((x) => quoteFloat(mirror, i, j, x)),
  joint: noJoint,
  gain,
  gas: ({ gas }, i) => gas[i]!,
  encode,
};
