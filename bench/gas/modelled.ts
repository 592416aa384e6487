import { encodeAbiParameters, getContractAddress, type Hex, maxUint256, parseAbi, zeroAddress } from "viem";
import curveArtifact from "../../contracts/devnet/out/StableSwap.json" with { type: "json" };
import { encodeApprove } from "../../src/core/encoding/erc20.ts";
import { stepKinds } from "../../src/core/encoding/kinds.ts";
import { stepFlags } from "../../src/core/encoding/layout.ts";
import type { Address } from "../../src/core/types.ts";
import { type Bench, call, requireBuild, type Transaction } from "./chain.ts";
import { erc20, type Market, sort } from "./market.ts";
import { AMOUNT, DEADLINE, MINIMUM, ours } from "./routes.ts";

/** Pools that sell A for B: Balancer's own bytecode, and for Curve, whose no package ships, the devnet's model. */
export type ModelledMarket = {
  readonly vault: Address;
  /** Ids of Balancer's pools. */
  readonly weighted: Hex;
  readonly stable: Hex;
  /** Coins of the Curve pool, by index. */
  readonly coins: readonly Address[];
};

const CURVE: Address = "0x00000000000000000000000000000000c0400000";
const ONE = 10n ** 18n;
const STOCK = 5n * 10n ** 23n;
const WEIGHTED_FEE = 3n * 10n ** 15n;
const STABLE_FEE = 4n * 10n ** 14n;
const AMP = 1000n;
const DAY_SECONDS = 86_400n;
const TASKS = "@balancer-labs/v2-deployments/dist/tasks";

const abi = parseAbi([
  "struct SingleSwap { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }",
  "struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }",
  "struct JoinRequest { address[] assets; uint256[] maxAmountsIn; bytes userData; bool fromInternalBalance; }",
  "function getPoolId() view returns (bytes32)",
  "function joinPool(bytes32 poolId, address sender, address recipient, JoinRequest request)",
  "function open(address[] coins, uint256 amp, uint256 fee, uint256 adminFee)",
  "function swap(SingleSwap single, Funds funds, uint256 limit, uint256 deadline) returns (uint256)",
  "function exchange(int128 i, int128 j, uint256 dx, uint256 leastDy) returns (uint256)",
]);

/** A vault with a pool of each kind over two tokens, and a pool of Curve's over three; each traded both ways. */
export async function deployModels(bench: Bench, { a, b, c, w }: Market): Promise<ModelledMarket> {
  await bench.rpc.call("anvil_setCode", [CURVE, curveArtifact.runtimeCode]);
  for (const token of [a, b, c])
    await bench.send({ to: token, data: call(erc20, "transfer", [CURVE, STOCK]) });
  const terms = [[a, b, c], 200_000n, 4_000_000n, 5_000_000_000n];
  await bench.send({ to: CURVE, data: call(abi, "open", terms) });
  for (const token of [a, b]) await bench.send({ to: token, data: encodeApprove(CURVE, maxUint256) });
  const market = { ...(await deployBalancer(bench, [...sort(a, b)], w)), coins: [a, b, c] };
  for (const path of [[a, b] as const, [b, a] as const])
    for (const transaction of direct(bench.user, market, path)) await bench.send(transaction);
  return market;
}

async function deployBalancer(bench: Bench, tokens: readonly Address[], weth: Address) {
  const { user } = bench;
  const task = (file: string) => requireBuild(`${TASKS}/${file}.json`);
  const authorizer = await bench.deploy(task("20210418-authorizer/artifact/Authorizer"), [user]);
  const windows = [90n * DAY_SECONDS, 30n * DAY_SECONDS];
  const vault = await bench.deploy(task("20210418-vault/artifact/Vault"), [authorizer, weth, ...windows]);
  const percentages = task(
    "20220725-protocol-fee-percentages-provider/artifact/ProtocolFeePercentagesProvider",
  );
  const provider = await bench.deploy(percentages, [vault, ONE, ONE]);
  for (const token of tokens) await bench.send({ to: token, data: encodeApprove(vault, maxUint256) });

  const make = async (file: string, args: readonly unknown[], design: readonly unknown[]): Promise<Hex> => {
    const build = task(file);
    const factory = await bench.deploy(build, [vault, ...args]);
    await bench.send({
      to: factory,
      data: call(build.abi, "create", ["Pool", "POOL", tokens, ...design, user]),
    });
    // The constructor's own creations are the code that pools are made of.
    const pool = getContractAddress({ from: factory, nonce: 3n });
    const poolId = await bench.read(pool, call(abi, "getPoolId", []));
    const amounts = tokens.map(() => STOCK);
    const types = [{ type: "uint256" }, { type: "uint256[]" }] as const;
    const request = { assets: tokens, maxAmountsIn: amounts, fromInternalBalance: false };
    const first = { ...request, userData: encodeAbiParameters(types, [0n, amounts]) };
    await bench.send({ to: vault, data: call(abi, "joinPool", [poolId, user, user, first]) });
    return poolId;
  };
  const weightedDesign = [tokens.map(() => ONE / 2n), tokens.map(() => zeroAddress), WEIGHTED_FEE];
  return {
    vault,
    weighted: await make(
      "20230206-weighted-pool-v3/artifact/WeightedPoolFactory",
      [provider, "", ""],
      weightedDesign,
    ),
    stable: await make("20220609-stable-pool-v2/artifact/StablePoolFactory", [], [AMP, STABLE_FEE]),
  };
}

/** The pool's own call by its user, who approved it without limit. */
function direct(
  user: Address,
  { vault: to, weighted, stable, coins }: ModelledMarket,
  [sold, bought]: readonly [Address, Address],
): Transaction[] {
  const funds = { sender: user, fromInternalBalance: false, recipient: user, toInternalBalance: false };
  const single = { kind: 0, assetIn: sold, assetOut: bought, amount: AMOUNT, userData: "0x" };
  const vault = (poolId: Hex): Transaction => ({
    to,
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
  { vault: target, weighted, stable }: ModelledMarket,
  { a, b }: Market,
): Readonly<Record<string, Transaction>> {
  const step = { share: 0, src: 0, dst: 1 };
  const vault = (extra: Hex) =>
    ours([a, b], [{ ...step, kind: stepKinds.balancerV2, flags: stepFlags.toRecipient, target, extra }]);
  const curve = ours(
    [a, b],
    [{ ...step, kind: stepKinds.curve, flags: 0, target: CURVE, extra: "0x000100" }],
  );
  return named([vault(weighted), vault(stable), curve]);
}
