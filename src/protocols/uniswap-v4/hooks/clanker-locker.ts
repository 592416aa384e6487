import { addressAt, callData, hasWords, uintAt } from "../../../core/abi.ts";
import type { Address, Call, Hex, Pool, Refusal } from "../../../core/types.ts";
import { feeReads, feesOf, type Positions } from "./clanker-fees.ts";
import { helpersOf } from "./family.ts";

/**
 * Lockers of Clanker's launches. They hold the launch's positions, and collect the fees of all of them at the
 * beginning of each swap. ClankerLpLockerMultiple passes the fees on. ClankerLpLockerFeeConversion does so unless a
 * recipient prefers one of the two tokens: then it sells that recipient's part of the other one in the same pool,
 * before the swap that called it.
 *
 * @source clanker-devco/v4-contracts b004c2e src/lp-lockers
 */

/** tokenRewards(address) and feePreferences(address,uint256) of a locker, and its positionManager() */
const TOKEN_REWARDS: Hex = "0x30bd3eeb";
const FEE_PREFERENCES: Hex = "0xda37c915";
const POSITION_MANAGER: Hex = "0x791b98bc";

/** Most recipients and positions of a launch. */
const MAX_RECIPIENTS = 7;
const MAX_POSITIONS = 7;
/** Words of a launch's rewards: first position, number of positions, offset of the recipients' shares. */
const rewardsAt = { token: 1, positionId: 7, positions: 8, shares: 9, words: 12 };
/** Shares are in parts of this. */
const BASIS_POINTS = 10_000n;
/** Preferences: a recipient takes both tokens, the paired one, or the clanker. */
const [BOTH, PAIRED, CLANKER] = [0, 1, 2];
const NOBODY = "0x0000000000000000000000000000000000000000";

/**
 * Gas of collecting: of the call, of each position, and of each recipient's payout in one token, the one that the last
 * swap was paid in. Medians of swaps with the published bytecode: one and five positions, one and three recipients.
 */
const CLAIM_GAS = { claim: 85_000, position: 27_500, recipient: 47_500 };

/** What a locker does at the beginning of a swap. */
export type Claims = {
  /** Gas that it adds to the swap. */
  readonly gas: number;
  /** Whether the recipients may change what it does, without a log of the manager. */
  readonly ages: boolean;
  /** Amounts of both tokens that it sells in the pool, token 0 first; undefined if it never sells. */
  readonly sales: readonly [bigint, bigint] | undefined;
};

type Launch = { readonly clanker: 0 | 1; readonly locker: Address };

/** A launch's positions, and the recipients' shares in basis points and preferences. */
type Rewards = Positions & { readonly shares: readonly bigint[]; readonly preferences: readonly number[] };

const FAILED = { refusal: "Clanker's locker does not answer" } as const;

/** What the pool's record knows of a locker; "unknown" if nothing. */
function kindOf(pool: Pool, locker: Address): "none" | "plain" | "converting" | "unknown" {
  if (locker === NOBODY) return "none";
  if (helpersOf(pool, "clanker-locker").includes(locker)) return "plain";
  return helpersOf(pool, "clanker-converter").includes(locker) ? "converting" : "unknown";
}

/** Number of answers that describe the rewards: owner, rewards, and the preferences of a locker that sells. */
const HEAD = { plain: 2, converting: 2 + MAX_RECIPIENTS };

function headReads(pool: Pool, { clanker, locker }: Launch, count: number): readonly Call[] {
  const token = BigInt(pool.tokens[clanker]!);
  const preferences = Array.from({ length: count - HEAD.plain }, (_, k) =>
    callData(FEE_PREFERENCES, token, k),
  );
  const data = [POSITION_MANAGER, callData(TOKEN_REWARDS, token), ...preferences];
  return data.map((one) => ({ to: locker, data: one }));
}

/** Calls that tell what the locker does at the beginning of a swap. */
export function claimReads(pool: Pool, launch: Launch, answers: readonly Hex[]): readonly Call[] {
  const kind = kindOf(pool, launch.locker);
  if (kind === "none" || kind === "unknown") return [];
  if (answers.length < HEAD[kind]) return headReads(pool, launch, HEAD[kind]);
  const rewards = rewardsOf(pool, launch, answers);
  if (rewards === undefined || !isSelling(rewards)) return [];
  return feeReads(pool, rewards, answers.slice(HEAD.converting));
}

/** What the locker does, from the answers of `claimReads`, or why the pool is refused. */
export function claimsOf(pool: Pool, launch: Launch, answers: readonly Hex[]): Claims | Refusal {
  const kind = kindOf(pool, launch.locker);
  if (kind === "none") return { gas: 0, ages: false, sales: undefined };
  if (kind === "unknown") return { refusal: "a locker that is not listed collects fees before each swap" };
  const rewards = rewardsOf(pool, launch, answers);
  if (rewards === undefined) return FAILED;
  const { positions, shares } = rewards;
  const gas = CLAIM_GAS.claim + CLAIM_GAS.position * positions + CLAIM_GAS.recipient * shares.length;
  if (!isSelling(rewards)) return { gas, ages: kind === "converting", sales: undefined };
  const fees = feesOf(rewards, answers.slice(HEAD.converting));
  if (fees === undefined) return { refusal: "the fees of the locker's positions cannot be read" };
  const wanted = launch.clanker === 0 ? ([PAIRED, CLANKER] as const) : ([CLANKER, PAIRED] as const);
  const sales = [saleOf(rewards, fees[0], wanted[0]!), saleOf(rewards, fees[1], wanted[1]!)] as const;
  return { gas, ages: true, sales };
}

function isSelling({ preferences }: Rewards): boolean {
  return preferences.some((preference) => preference !== BOTH);
}

/**
 * The part of collected fees that the locker sells: what is left after the recipients who do not want them sold have
 * got their shares, each rounded down.
 *
 * @source ClankerLpLockerFeeConversion.sol _handleFees
 */
function saleOf({ shares, preferences }: Rewards, fees: bigint, wanted: number): bigint {
  if (!preferences.includes(wanted)) return 0n;
  const kept = shares.map((share, k) => (preferences[k] === wanted ? 0n : (share * fees) / BASIS_POINTS));
  return kept.reduce((rest, part) => rest - part, fees);
}

/** The launch's rewards; undefined if the answers are none of a locker. */
function rewardsOf(pool: Pool, { clanker }: Launch, answers: readonly Hex[]): Rewards | undefined {
  const [owner = "0x", rewards = "0x", ...told] = answers;
  if (!hasWords(owner, 1) || !hasWords(rewards, rewardsAt.words)) return undefined;
  const shares = sharesOf(rewards);
  const positions = uintAt(rewards, rewardsAt.positions);
  if (shares === undefined || positions > MAX_POSITIONS) return undefined;
  if (addressAt(rewards, rewardsAt.token) !== pool.tokens[clanker]) return undefined;
  const preferences = told.slice(0, shares.length).map(preferenceOf);
  if (preferences.includes(undefined)) return undefined;
  return {
    owner: addressAt(owner, 0),
    positionId: uintAt(rewards, rewardsAt.positionId),
    positions: Number(positions),
    shares,
    preferences: preferences as readonly number[],
  };
}

function preferenceOf(answer: Hex): number | undefined {
  const preference = hasWords(answer, 1) ? Number(uintAt(answer, 0)) : CLANKER! + 1;
  return preference <= CLANKER! ? preference : undefined;
}

/** The recipients' shares in basis points; undefined if the answer has none. */
function sharesOf(rewards: Hex): readonly bigint[] | undefined {
  const start = Number(uintAt(rewards, rewardsAt.shares)) / 32 + 1;
  if (!Number.isInteger(start) || start > 64 || !hasWords(rewards, start + 1)) return undefined;
  const count = Number(uintAt(rewards, start));
  if (count < 1 || count > MAX_RECIPIENTS || !hasWords(rewards, start + 1 + count)) return undefined;
  return Array.from({ length: count }, (_, k) => uintAt(rewards, start + 1 + k));
}
