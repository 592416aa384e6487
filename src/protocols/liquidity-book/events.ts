import { addressAt, hasWords, uintAt } from "../../core/abi.ts";
import type { PairSource } from "../../core/protocol.ts";
import type { Address, At, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { referencesAt, type State } from "./state.ts";

/** LBPairCreated(address indexed tokenX, address indexed tokenY, uint256 indexed binStep, address pair, uint256) */
const PAIR_CREATED = "0x2c8d104b27c6b7f4492017a6f5cf3803043688934ebcaa6a03540beeaf976aff";
/** Swap(address indexed, address indexed, uint24 id, bytes32 in, bytes32 out, uint24 accumulator, bytes32, bytes32) */
const SWAP = "0xad7d6f97abf51ce18e17a38f4d70e975be9c0708474987bb3e26ad21bd93ca70";
/** v2.0: Swap(address indexed, address indexed, uint256 indexed id, bool forY, uint256 in, uint256 out, uint256, uint256) */
const SWAP_V20 = "0xc528cda9e500228b16ce84fadae290d9a49aecb17483110004c5af0a07f6fd73";
/** DepositedToBins, WithdrawnFromBins(address indexed, address indexed, uint256[] ids, bytes32[] amounts) */
const DEPOSITED = "0x87f1f9dcf5e8089a3e00811b6a008d8f30293a3da878cb1fe8c90ca376402f8a";
const WITHDRAWN = "0xa32e146844d6144a22e94c586715a1317d58a8aa3581ec33d040113ddcb24350";
/** v2.0: DepositedToBin, WithdrawnFromBin(address indexed, address indexed, uint256 indexed id, uint256 x, uint256 y) */
const DEPOSITED_V20 = "0x4216cc3bd0c40a90259d92f800c06ede5c47765f41a488072b7e7104a1f95841";
const WITHDRAWN_V20 = "0xda5e7177dface55f5e0eff7dfc67420a1db4243ddfcf0ecc84ed93e034dd8cc2";
/** FlashLoan(address indexed, address indexed, uint24 id, bytes32 amounts, bytes32 fees, bytes32 protocolFees); v2.0's moves no bin */
const FLASH_LOAN = "0xd126bd9d94daca8e55ffd8283fac05394aec8326c6b1639e1e8a445fbe8bbc7d";
/**
 * FeeParametersSet(address indexed, address indexed pair, uint256 …) of a factory of v2.0, whose pairs have no log of their own
 * for it
 */
const PARAMETERS_V20 = "0x63a7af39b7b68b9c3f2dfe93e5f32d9faecb4c6c98733bb608f757e62f816c0d";

/**
 * Logs after which the pair is read again, since they carry too little. Composition fees also change the volatility.
 */
const reloading: readonly Hex[] = [
  // CompositionFees(address indexed, uint24, bytes32, bytes32), and v2.0's CompositionFee
  "0x3f0b46725027bb418b2005f4683538eccdbcdf1de2b8649a29dbd9c507d16ff4",
  "0x56f8e764728c77dd99ffbc1b64e6d02e227e6ec8214f165d4ef31351de136a0d",
  // StaticFeeParametersSet, HooksParametersSet, ForcedDecay
  "0xd09e5ddc721ff14c5c1e66a305cbba1fd70b82c5232bc391aad6f55e62e4b046",
  "0x4d24d81a1a6e09c37497747b4c9d67d858ce80438b54df0fa361a24dc742d934",
  "0x282afaeeae84c1d85ad1424a3aa2ddbedaeefca3b1e53d889d15265fe44db7fc",
];

const stateTopics: readonly Hex[] = [
  SWAP,
  SWAP_V20,
  DEPOSITED,
  WITHDRAWN,
  DEPOSITED_V20,
  WITHDRAWN_V20,
  FLASH_LOAN,
  PARAMETERS_V20,
  ...reloading,
];
export const creations: readonly Hex[] = [PAIR_CREATED];
export const topics: readonly Hex[] = [...creations, ...stateTopics];

/** Topics whose logs the pair's factory emits, which the pair's record does not name; the pair is read again after them. */
export const ofFactory: readonly Hex[] = [PARAMETERS_V20];

/** Distance in bins from the end of the known window below which the window is read again. */
const MARGIN = 32;

/** @throws Error if the deployment does not state its version: the record is wrong */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== PAIR_CREATED || log.address !== deployment.factory) return undefined;
  if (log.topics.length !== 4 || !hasWords(log.data, 1)) return undefined;
  const tokens = [addressAt(log.topics[1]!, 0), addressAt(log.topics[2]!, 0)] as const;
  const binStep = Number(uintAt(log.topics[3]!, 0));
  return poolOf(deployment, tokens, { address: addressAt(log.data, 0), binStep });
}

function versionOf({ id, facts: { version } }: Deployment): "2.0" | "2.1" {
  if (version !== "2.0" && version !== "2.1")
    throw new Error(`deployment ${id}: version must be "2.0" or "2.1", not ${version}`);
  return version;
}

type Made = { readonly address: Address; readonly binStep: number };

function poolOf(
  deployment: Deployment,
  tokens: readonly [Address, Address],
  { address, binStep }: Made,
): Pool {
  return {
    ...{ id: address, address, protocol: "liquidity-book", deployment: deployment.id },
    ...{ tokens, stateIds: [address], facts: { version: versionOf(deployment), binStep } },
  };
}

/** getLBPairInformation(address,address,uint256) → bin step, pair, whether its owner made it, whether routers ignore it */
const GET_PAIR_INFORMATION: Hex = "0x704037bd";
/** getTokenX(), getTokenY(); in v2.0 tokenX(), tokenY() */
const TOKENS: Readonly<Record<"2.0" | "2.1", readonly [Hex, Hex]>> = {
  "2.0": ["0x16dc165b", "0xb7d19fc4"],
  "2.1": ["0x05e8746d", "0xda10610c"],
};

/**
 * Bin steps in basis points for which factories have presets.
 *
 * @source traderjoe-xyz/joe-v2 script/config/bips-config.sol of v2.0.0 and v2.2.0, and the steps of the pairs in its
 *   deployments
 */
const BIN_STEPS = [1, 2, 5, 10, 15, 20, 25, 50, 100];

/** Queries by sorted tokens, as the factory stores pairs. Which token is X is read from the pair. */
export function byPair(deployment: Deployment): PairSource {
  const version = versionOf(deployment);
  return {
    target: deployment.factory,
    selector: GET_PAIR_INFORMATION,
    hashed: false,
    numbered: false,
    word: 1,
    details: (named) => TOKENS[version].map((data) => ({ to: addressAt(named, 0), data })),
    keys: BIN_STEPS,
    poolOf: (pair, named, binStep = 0, answers) => {
      const [x, y] = answers.map((answer) => (hasWords(answer, 1) ? addressAt(answer, 0) : undefined));
      if (x === undefined || y === undefined || [x, y].sort().join() !== pair.join()) return undefined;
      return poolOf(deployment, [x, y], { address: addressAt(named, 0), binStep });
    },
  };
}

export function touches(log: Log): readonly string[] {
  const [topic, , pair] = log.topics;
  if (topic === PARAMETERS_V20) return pair === undefined ? [] : [addressAt(pair, 0)];
  return stateTopics.includes(topic!) ? [log.address] : [];
}

/** Change of a bin by one log; negative for a withdrawal. */
type Change = { readonly id: number; readonly x: bigint; readonly y: bigint };

/** Unpacks X from the low half of a word and Y from the high half. */
const halves = (word: bigint) => ({ x: word & (2n ** 128n - 1n), y: word >> 128n });

export function apply(state: State, log: Log, at: At): State | "reload" {
  switch (log.topics[0]) {
    case SWAP: {
      const [into, out] = [halves(uintAt(log.data, 1)), halves(uintAt(log.data, 2))];
      const change = { id: Number(uintAt(log.data, 0)), x: into.x - out.x, y: into.y - out.y };
      return afterSwapEvent(state, { change, accumulator: Number(uintAt(log.data, 3)), at });
    }
    case SWAP_V20: {
      const [into, out] = [uintAt(log.data, 1), uintAt(log.data, 2)];
      const [x, y] = uintAt(log.data, 0) === 1n ? [into, -out] : [-out, into];
      const change = { id: Number(uintAt(log.topics[3]!, 0)), x, y };
      return afterSwapEvent(state, { change, accumulator: Number(uintAt(log.data, 3)), at });
    }
    case DEPOSITED:
    case WITHDRAWN:
      return withChanges(state, changesOf(log.data, log.topics[0] === DEPOSITED ? 1n : -1n));
    case DEPOSITED_V20:
      return withChanges(state, [changeOf(log, 1n)]);
    case WITHDRAWN_V20:
      return withChanges(state, [changeOf(log, -1n)]);
    case FLASH_LOAN:
      return withChanges(state, [lent(log.data)]);
    case PARAMETERS_V20:
      return state.feesInBin ? state : "reload";
    default:
      return reloading.includes(log.topics[0]!) ? "reload" : state;
  }
}

function changeOf(log: Log, sign: bigint): Change {
  const id = Number(uintAt(log.topics[3]!, 0));
  return { id, x: sign * uintAt(log.data, 0), y: sign * uintAt(log.data, 1) };
}

/**
 * What a flash loan leaves in the active bin: its fees less the protocol's part. In v2.2 the protocol takes all of them.
 *
 * @source traderjoe-xyz/joe-v2 v2.1.1 src/LBPair.sol flashLoan
 */
function lent(data: Hex): Change {
  const [fees, protocol] = [halves(uintAt(data, 2)), halves(uintAt(data, 3))];
  return { id: Number(uintAt(data, 0)), x: fees.x - protocol.x, y: fees.y - protocol.y };
}

function changesOf(data: Hex, sign: bigint): Change[] {
  const [ids, amounts] = [Number(uintAt(data, 0) / 32n), Number(uintAt(data, 1) / 32n)];
  return Array.from({ length: Number(uintAt(data, ids)) }, (_, k) => {
    const { x, y } = halves(uintAt(data, amounts + 1 + k));
    return { id: Number(uintAt(data, ids + 1 + k)), x: sign * x, y: sign * y };
  });
}

type Crossing = { readonly change: Change; readonly accumulator: number; readonly at: At };

/**
 * The state after a Swap log, of which there is one per bin used. References move with the first log of a block,
 * whose time is then that of the last swap.
 */
function afterSwapEvent(state: State, { change, accumulator, at }: Crossing): State | "reload" {
  const last = state.first + state.xs.length - 1;
  if (change.id - state.first < MARGIN || last - change.id < MARGIN) return "reload";
  // Without a filter period each swap of a block moves the references, but logs do not show where a swap begins.
  if (state.parameters.filterPeriod === 0) return "reload";
  const references = referencesAt(state, at.timestamp);
  const changed = withChanges(state, [change]);
  if (references === undefined || changed === "reload") return "reload";
  return { ...changed, activeId: change.id, volatility: { ...references, accumulator } };
}

/** Changes the bins of the window; bins outside stay unknown. "reload" if a reserve would be negative. */
function withChanges(state: State, changes: readonly Change[]): State | "reload" {
  const [xs, ys] = [[...state.xs], [...state.ys]];
  for (const { id, x, y } of changes) {
    const at = id - state.first;
    if (xs[at] === undefined || ys[at] === undefined) continue;
    xs[at] += x;
    ys[at] += y;
    if (xs[at] < 0n || ys[at] < 0n) return "reload";
  }
  return { ...state, xs, ys };
}
