import { concatHex, type Hex, maxUint256, parseAbi } from "viem";
import stableArtifact from "../../contracts/devnet/out/BalancerStablePool.json" with { type: "json" };
import vaultArtifact from "../../contracts/devnet/out/BalancerVault.json" with { type: "json" };
import weightedArtifact from "../../contracts/devnet/out/BalancerWeightedPool.json" with { type: "json" };
import curveArtifact from "../../contracts/devnet/out/StableSwap.json" with { type: "json" };
import { encodeApprove } from "../../src/core/encoding/erc20.ts";
import { stepKinds } from "../../src/core/encoding/kinds.ts";
import { stepFlags } from "../../src/core/encoding/layout.ts";
import type { Address } from "../../src/core/types.ts";
import { type Bench, call, type Transaction } from "./chain.ts";
import { erc20, type Market, sort } from "./market.ts";
import { AMOUNT, DEADLINE, MINIMUM, ours } from "./routes.ts";

/** Pools of designs that no package ships as bytecode: the devnet's models, which sell A for B. */
export type ModelledMarket = {
  readonly weighted: Hex;
  readonly stable: Hex;
  /** Coins of the Curve pool, by index. */
  readonly coins: readonly Address[];
};

const VAULT: Address = "0x00000000000000000000000000000000ba120000";
const WEIGHTED: Address = "0x00000000000000000000000000000000ba120001";
const STABLE: Address = "0x00000000000000000000000000000000ba120002";
const CURVE: Address = "0x00000000000000000000000000000000c0400000";
const STOCK = 5n * 10n ** 23n;
const WEIGHTED_FEE = 3n * 10n ** 15n;
const STABLE_FEE = 4n * 10n ** 14n;
const AMP = 1_000_000n;

const abi = parseAbi([
  "struct SingleSwap { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }",
  "struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }",
  "function register(address pool, address[] tokens, uint256[] balances)",
  "function open(address[] tokens, uint256[] weights, uint256 fee)",
  "function open(address[] tokens, uint256 amp, uint256 fee)",
  "function open(address[] coins, uint256 amp, uint256 fee, uint256 adminFee)",
  "function swap(SingleSwap single, Funds funds, uint256 limit, uint256 deadline) returns (uint256)",
  "function exchange(int128 i, int128 j, uint256 dx, uint256 leastDy) returns (uint256)",
]);

/** A vault with a pool of each kind over two tokens, and a pool of Curve's over three; each traded both ways. */
export async function deployModels(bench: Bench, { a, b, c }: Market): Promise<ModelledMarket> {
  const tokens = [...sort(a, b)];
  const placed = [
    [VAULT, vaultArtifact.runtimeCode],
    [WEIGHTED, weightedArtifact.runtimeCode],
    [STABLE, stableArtifact.runtimeCode],
    [CURVE, curveArtifact.runtimeCode],
  ] as const;
  for (const [address, code] of placed) await bench.rpc.call("anvil_setCode", [address, code]);
  const give = (token: Address, to: Address, amount: bigint) =>
    bench.send({ to: token, data: call(erc20, "transfer", [to, amount]) });
  for (const token of tokens) await give(token, VAULT, 2n * STOCK);
  for (const token of [a, b, c]) await give(token, CURVE, STOCK);
  const half = 5n * 10n ** 17n;
  await bench.send({ to: WEIGHTED, data: call(abi, "open", [tokens, [half, half], WEIGHTED_FEE]) });
  await bench.send({ to: STABLE, data: call(abi, "open", [tokens, AMP, STABLE_FEE]) });
  await bench.send({
    to: CURVE,
    data: call(abi, "open", [[a, b, c], 200_000n, 4_000_000n, 5_000_000_000n]),
  });
  for (const pool of [WEIGHTED, STABLE])
    await bench.send({ to: VAULT, data: call(abi, "register", [pool, tokens, [STOCK, STOCK]]) });
  for (const token of [a, b])
    for (const spender of [VAULT, CURVE])
      await bench.send({ to: token, data: encodeApprove(spender, maxUint256) });
  const idOf = (pool: Address, serial: Hex): Hex => concatHex([pool, serial]);
  const market = {
    weighted: idOf(WEIGHTED, "0x000000000000000000000000"),
    stable: idOf(STABLE, "0x000000000000000000000001"),
    coins: [a, b, c],
  };
  for (const path of [[a, b] as const, [b, a] as const])
    for (const transaction of direct(bench.user, market, path)) await bench.send(transaction);
  return market;
}

/** The pool's own call by its user, who approved it without limit. */
function direct(
  user: Address,
  { weighted, stable, coins }: ModelledMarket,
  [sold, bought]: readonly [Address, Address],
): Transaction[] {
  const funds = { sender: user, fromInternalBalance: false, recipient: user, toInternalBalance: false };
  const single = { kind: 0, assetIn: sold, assetOut: bought, amount: AMOUNT, userData: "0x" };
  const vault = (poolId: Hex): Transaction => ({
    to: VAULT,
    data: call(abi, "swap", [{ ...single, poolId }, funds, MINIMUM / 2n, DEADLINE]),
  });
  const indexes = [sold, bought].map((token) => BigInt(coins.indexOf(token)));
  const curve = { to: CURVE, data: call(abi, "exchange", [...indexes, AMOUNT, MINIMUM / 2n]) };
  return [vault(weighted), vault(stable), curve];
}

const NAMES = ["Balancer v2 weighted", "Balancer v2 stable", "Curve"] as const;

function named(transactions: readonly Transaction[]): Readonly<Record<string, Transaction>> {
  return Object.fromEntries(NAMES.map((name, k) => [name, transactions[k]!]));
}

/** What the same swaps cost without any router: printed, never a bar. */
export function directRoutes(
  user: Address,
  market: ModelledMarket,
  { a, b }: Market,
): Readonly<Record<string, Transaction>> {
  return named(direct(user, market, [a, b]));
}

/** Our routes over the models. */
export function ourModelledRoutes(
  { weighted, stable }: ModelledMarket,
  { a, b }: Market,
): Readonly<Record<string, Transaction>> {
  const step = { share: 0, src: 0, dst: 1 };
  const vault = (extra: Hex) =>
    ours(
      [a, b],
      [{ ...step, kind: stepKinds.balancerV2, flags: stepFlags.toRecipient, target: VAULT, extra }],
    );
  const curve = ours(
    [a, b],
    [{ ...step, kind: stepKinds.curve, flags: 0, target: CURVE, extra: "0x000100" }],
  );
  return named([vault(weighted), vault(stable), curve]);
}
