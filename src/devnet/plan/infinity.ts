import {
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  pad,
  parseAbi,
  parseAbiParameters,
  toHex,
} from "viem/utils";
import vaultArtifact from "../../../contracts/devnet/out/InfinityVault.json" with { type: "json" };
import type { Address, Hex } from "../../core/types.ts";
import { WETH } from "./addresses.ts";
import type { DevnetPlan, Grant } from "./plan.ts";

/** What both kinds of PancakeSwap Infinity's pools have in common on the devnet: a model of the Vault, and keys. */

const abi = parseAbi([
  "function open(address[] apps, address[] currencies, address wrapped)",
  "function open(address vault)",
]);

export type PoolKey = {
  readonly currency0: Address;
  readonly currency1: Address;
  readonly hooks: Address;
  readonly poolManager: Address;
  readonly fee: number;
  readonly parameters: Hex;
};

/** `PoolKey` as the models' functions take it. */
export const POOL_KEY =
  "struct PoolKey { address currency0; address currency1; address hooks; address poolManager; uint24 fee; bytes32 parameters; }";

const ZERO: Address = pad("0x", { size: 20 });

/** A pool of the native coin is designed with WETH, which has the same worth: all WETH of the Vault is unwrapped. */
export const currencyOf = (token: Address): Address => (token === WETH ? ZERO : token);

/**
 * A key without hooks.
 *
 * @param spacing tick spacing or bin step
 */
export function keyOf(
  poolManager: Address,
  tokens: readonly [Address, Address],
  { fee, spacing }: { readonly fee: number; readonly spacing: number },
): PoolKey {
  const [currency0, currency1] = [currencyOf(tokens[0]), currencyOf(tokens[1])];
  const parameters = toHex(spacing * 2 ** 16, { size: 32 });
  return { currency0, currency1, hooks: ZERO, poolManager, fee, parameters };
}

/** The pool's id. */
export function idOf(key: PoolKey): Hex {
  const words = parseAbiParameters("address, address, address, address, uint24, bytes32");
  const { currency0, currency1, hooks, poolManager, fee, parameters } = key;
  return keccak256(encodeAbiParameters(words, [currency0, currency1, hooks, poolManager, fee, parameters]));
}

/** A Vault of one manager, and the manager, with the tokens of its pools. */
export function vaultAndManager(
  vault: Address,
  manager: { readonly address: Address; readonly runtimeCode: Hex },
  held: readonly Omit<Grant, "holder">[],
): Pick<DevnetPlan, "helpers" | "grants" | "transactions"> {
  const currencies = [...new Set(held.map(({ token }) => currencyOf(token)))];
  const opening = encodeFunctionData({
    abi,
    functionName: "open",
    args: [[manager.address], currencies, WETH],
  });
  return {
    helpers: [{ address: vault, runtimeCode: vaultArtifact.runtimeCode as Hex }, manager],
    grants: held.map((grant) => ({ holder: vault, ...grant })),
    transactions: [
      { to: vault, data: opening, gas: 1_000_000 },
      {
        to: manager.address,
        data: encodeFunctionData({ abi, functionName: "open", args: [vault] }),
        gas: 100_000,
      },
    ],
  };
}
