import { encodeFunctionData } from "viem";
import { stepKinds } from "../../src/core/encoding/kinds.ts";
import { packRoute, stepFlags, type WireStep } from "../../src/core/encoding/layout.ts";
import { ROUTER_ADDRESS } from "../../src/core/encoding/router-artifact.ts";
import { swapAbi } from "../../src/core/encoding/swap.ts";
import { type Address, NATIVE } from "../../src/core/types.ts";
import type { Transaction } from "./chain.ts";
import type { Market } from "./market.ts";
import { currencyOf, type V4Market, v4Extra } from "./v4.ts";

export const AMOUNT = 10n ** 21n;
/** A minimum with as many significant bytes as a real one. */
export const MINIMUM = 987_654_321_987_654_321_987n;
export const DEADLINE = 2_000_000_000n;
export const FEE_RECIPIENT: Address = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

const ZERO: Address = "0x0000000000000000000000000000000000000000";
const HALF = 2 ** 31;
const { zeroForOne, prefunded, toRecipient, toNext } = stepFlags;

type Fees = { readonly sellBps: bigint; readonly buyBps: bigint };

/** One of our transactions: all of the first token for the last, paid to the sender. */
export function ours(
  tokens: readonly Address[],
  steps: readonly WireStep[],
  fees: Fees = { sellBps: 0n, buyBps: 0n },
): Transaction {
  const feeWord =
    fees.sellBps + fees.buyBps === 0n
      ? 0n
      : (fees.sellBps << 176n) | (fees.buyBps << 160n) | BigInt(FEE_RECIPIENT);
  const terms = (DEADLINE << 192n) | feeWord;
  const data = encodeFunctionData({
    abi: swapAbi,
    args: [AMOUNT, MINIMUM / 2n, ZERO, terms, packRoute({ tokens, steps })],
  });
  return { to: ROUTER_ADDRESS, data, value: tokens[0] === NATIVE ? AMOUNT : 0n };
}

type Path = readonly [Address, Address];
type Leg = { readonly flags?: number; readonly share?: number };

/** Step makers over one token table. */
function steps(tokens: readonly Address[]) {
  const make = (path: Path, step: Pick<WireStep, "kind" | "target" | "extra">, leg: Leg): WireStep => {
    const [sold, bought] = path;
    const way = step.kind !== stepKinds.wrap && BigInt(sold) < BigInt(bought) ? zeroForOne : 0;
    return {
      ...step,
      ...{ share: leg.share ?? 0, flags: (leg.flags ?? 0) | way },
      ...{ src: tokens.indexOf(sold), dst: tokens.indexOf(bought) },
    };
  };
  return {
    v2: (path: Path, target: Address, leg: Leg) =>
      make(path, { kind: stepKinds.v2, target, extra: "0x000bb8" }, leg),
    v3: (path: Path, target: Address, leg: Leg) =>
      make(path, { kind: stepKinds.v3, target, extra: "0x" }, leg),
    wrap: (path: Path, target: Address) => {
      const flags = path[0] === NATIVE ? zeroForOne : 0;
      return make(path, { kind: stepKinds.wrap, target, extra: "0x" }, { flags });
    },
  };
}

/** Our transactions, by the name of the case. */
/** Routes over v4 pools, where there is a manager. */
export function ourV4Routes(
  { a, b, c }: Market,
  { manager }: V4Market,
): Readonly<Record<string, Transaction>> {
  const step = (tokens: readonly Address[], path: Path, flags: number): WireStep => ({
    ...{ kind: stepKinds.v4, target: manager, extra: v4Extra(), share: 0 },
    flags: flags | (BigInt(currencyOf(path[0])) < BigInt(currencyOf(path[1])) ? zeroForOne : 0),
    ...{ src: tokens.indexOf(path[0]), dst: tokens.indexOf(path[1]) },
  });
  const ab = [a, b];
  const abc = [a, b, c];
  return {
    v4: ours(ab, [step(ab, [a, b], toRecipient)]),
    "v4 v4": ours(abc, [step(abc, [a, b], 0), step(abc, [b, c], toRecipient)]),
    "native in, v4": ours([NATIVE, b], [step([NATIVE, b], [NATIVE, b], toRecipient)]),
    "native out, v4": ours([b, NATIVE], [step([b, NATIVE], [b, NATIVE], toRecipient)]),
  };
}

export function ourRoutes({ a, b, c, d, w, pair, pool }: Market): Readonly<Record<string, Transaction>> {
  const direct = { flags: toRecipient };
  const ab = steps([a, b]);
  const abc = steps([a, b, c]);
  const abcd = steps([a, b, c, d]);
  const oneV2 = ab.v2([a, b], pair(a, b), direct);
  const oneV3 = ab.v3([a, b], pool(a, b, 500), direct);
  const heldV3 = ab.v3([a, b], pool(a, b, 500), {});
  const lastV2 = abc.v2([b, c], pair(b, c), { flags: toRecipient | prefunded });
  const lastV3 = abc.v3([b, c], pool(b, c, 3000), direct);
  const wrapIn = steps([NATIVE, w, b]);
  const wrapOut = steps([a, w, NATIVE]);
  return {
    v2: ours([a, b], [oneV2]),
    v3: ours([a, b], [oneV3]),
    "v3, tick moves": ours([a, b], [ab.v3([a, b], pool(a, b, 3000), direct)]),
    "v2 v2": ours([a, b, c], [abc.v2([a, b], pair(a, b), { flags: toNext }), lastV2]),
    "v3 v3": ours([a, b, c], [abc.v3([a, b], pool(a, b, 3000), {}), lastV3]),
    "v2 v3": ours([a, b, c], [abc.v2([a, b], pair(a, b), {}), lastV3]),
    "v3 v2": ours([a, b, c], [abc.v3([a, b], pool(a, b, 3000), { flags: toNext }), lastV2]),
    "v2 v2 v2": ours(
      [a, b, c, d],
      [
        abcd.v2([a, b], pair(a, b), { flags: toNext }),
        abcd.v2([b, c], pair(b, c), { flags: prefunded | toNext }),
        abcd.v2([c, d], pair(c, d), { flags: prefunded | toRecipient }),
      ],
    ),
    "v3 v3 v3": ours(
      [a, b, c, d],
      [
        abcd.v3([a, b], pool(a, b, 3000), {}),
        abcd.v3([b, c], pool(b, c, 3000), {}),
        abcd.v3([c, d], pool(c, d, 3000), direct),
      ],
    ),
    "split v2 + v3": ours([a, b], [ab.v2([a, b], pair(a, b), { ...direct, share: HALF }), oneV3]),
    "split v3 + v3": ours([a, b], [ab.v3([a, b], pool(a, b, 3000), { ...direct, share: HALF }), oneV3]),
    "native in, v2": ours(
      [NATIVE, w, b],
      [wrapIn.wrap([NATIVE, w], w), wrapIn.v2([w, b], pair(w, b), direct)],
    ),
    "native in, v3": ours(
      [NATIVE, w, b],
      [wrapIn.wrap([NATIVE, w], w), wrapIn.v3([w, b], pool(w, b, 500), direct)],
    ),
    "native out, v2": ours(
      [a, w, NATIVE],
      [wrapOut.v2([a, w], pair(a, w), {}), wrapOut.wrap([w, NATIVE], w)],
    ),
    "native out, v3": ours(
      [a, w, NATIVE],
      [wrapOut.v3([a, w], pool(a, w, 500), {}), wrapOut.wrap([w, NATIVE], w)],
    ),
    "v3, custody": ours([a, b], [heldV3]),
    "v3, buy fee": ours([a, b], [heldV3], { sellBps: 0n, buyBps: 100n }),
    "v3, sell fee": ours([a, b], [oneV3], { sellBps: 100n, buyBps: 0n }),
    "v3, both fees": ours([a, b], [heldV3], { sellBps: 100n, buyBps: 100n }),
    wrap: ours([NATIVE, w], [steps([NATIVE, w]).wrap([NATIVE, w], w)]),
    unwrap: ours([w, NATIVE], [steps([w, NATIVE]).wrap([w, NATIVE], w)]),
  };
}
