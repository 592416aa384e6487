import { addressAt, callData, hasWords, uintAt } from "../../../core/abi.ts";
import type { Address, Call, Hex, Pool, Refusal } from "../../../core/types.ts";
import { helpersOf } from "./family.ts";

/**
 * Lockers of Clanker's launches. They hold the launch's positions, and collect the fees of all of them at the
 * beginning of each swap. ClankerLpLockerMultiple passes the fees on. ClankerLpLockerFeeConversion does so unless a
 * recipient prefers one of the two tokens: then it sells the other one in the same pool, before the swap that called
 * it.
 *
 * @source clanker-devco/v4-contracts b004c2e src/lp-lockers
 */

/** tokenRewards(address) and feePreferences(address,uint256) of a locker */
const TOKEN_REWARDS: Hex = "0x30bd3eeb";
const FEE_PREFERENCES: Hex = "0xda37c915";

/** Most recipients of a launch. */
const MAX_RECIPIENTS = 7;
/** Word of a launch's rewards: number of positions. The offset of the recipients' shares follows it. */
const NUM_POSITIONS = 8;
const NOBODY = "0x0000000000000000000000000000000000000000";

/**
 * Gas of collecting: of the call, of each position, and of each recipient's payout in one token, the one that the last
 * swap was paid in. Medians of swaps with the published bytecode: one and five positions, one and three recipients.
 */
const CLAIM_GAS = { claim: 85_000, position: 27_500, recipient: 47_500 };

/** The gas that collecting adds to a swap, and whether the recipients may change what it does. */
type Claims = { readonly gas: number; readonly ages: boolean };

type Launch = { readonly clanker: 0 | 1; readonly locker: Address };

/** What the pool's record knows of a locker; "unknown" if nothing. */
function kindOf(pool: Pool, locker: Address): "none" | "plain" | "converting" | "unknown" {
  if (locker === NOBODY) return "none";
  if (helpersOf(pool, "clanker-locker").includes(locker)) return "plain";
  return helpersOf(pool, "clanker-converter").includes(locker) ? "converting" : "unknown";
}

/** Calls that tell what the locker does at the beginning of a swap. */
export function claimReads(
  pool: Pool,
  { clanker, locker }: Launch,
  answers: readonly Hex[],
): readonly Call[] {
  const kind = kindOf(pool, locker);
  if (answers.length > 0 || kind === "none" || kind === "unknown") return [];
  const token = BigInt(pool.tokens[clanker]!);
  const rewards = { to: locker, data: callData(TOKEN_REWARDS, token) };
  if (kind === "plain") return [rewards];
  const preferences = Array.from({ length: MAX_RECIPIENTS }, (_, k) => ({
    to: locker,
    data: callData(FEE_PREFERENCES, token, k),
  }));
  return [rewards, ...preferences];
}

/** What the locker does, from the answers of `claimReads`, or why the pool is refused. */
export function claimsOf(pool: Pool, { clanker, locker }: Launch, answers: readonly Hex[]): Claims | Refusal {
  const kind = kindOf(pool, locker);
  if (kind === "none") return { gas: 0, ages: false };
  if (kind === "unknown") return { refusal: "a locker that is not listed collects fees before each swap" };
  const [rewards = "0x", ...preferences] = answers;
  const shares = sharesOf(rewards);
  if (shares === undefined || addressAt(rewards, 1) !== pool.tokens[clanker])
    return { refusal: "Clanker's locker does not answer" };
  const positions = Number(uintAt(rewards, NUM_POSITIONS));
  const gas = CLAIM_GAS.claim + CLAIM_GAS.position * positions + CLAIM_GAS.recipient * shares;
  if (kind === "plain") return { gas, ages: false };
  for (const preference of preferences.slice(0, shares)) {
    if (!hasWords(preference, 1)) return { refusal: "Clanker's locker does not answer" };
    if (uintAt(preference, 0) !== 0n)
      return { refusal: "the locker of the launch sells fees in the pool before each swap" };
  }
  return { gas, ages: true };
}

/** Number of recipients of a launch; undefined if the answer is none of a locker. */
function sharesOf(rewards: Hex): number | undefined {
  if (!hasWords(rewards, NUM_POSITIONS + 4)) return undefined;
  if (uintAt(rewards, NUM_POSITIONS) > 7n) return undefined;
  const start = Number(uintAt(rewards, NUM_POSITIONS + 1)) / 32 + 1;
  if (!Number.isInteger(start) || start > 64 || !hasWords(rewards, start + 1)) return undefined;
  const count = uintAt(rewards, start);
  return count > 0n && count <= MAX_RECIPIENTS ? Number(count) : undefined;
}
