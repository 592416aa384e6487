import type { Hex, LocalAccount } from "viem";
import type { Case } from "./cases.ts";
import { NATIVE, type Transaction } from "./chain.ts";
import type { World } from "./swap.ts";

/** A transaction that waits for the next block. */
export type Waiting = Transaction & { readonly hash: Hex };

export async function fundPayer(world: World, one: Case, payer: LocalAccount, amount: bigint): Promise<void> {
  const { chain, wrapped } = world;
  const spare = one.tokenIn.address === NATIVE ? 10n ** 18n : 0n;
  if ((await chain.balanceOf(one.tokenIn.address, payer.address)) < amount + spare) {
    await chain.fund(one.tokenIn.address, payer.address, amount, wrapped);
  }
  if ((await chain.balanceOf(NATIVE, payer.address)) < 10n ** 18n)
    await chain.fund(NATIVE, payer.address, 10n ** 18n, wrapped);
}

/**
 * Sends the approval of exactly `amount` that the API answers.
 *
 * @returns the wallet's transactions that wait for the next block: a validated quote needs the approval mined first,
 *          any other may share the block with it
 */
export async function approve(
  world: World,
  one: Case,
  payer: LocalAccount,
  amount: bigint,
): Promise<readonly Waiting[]> {
  if (one.tokenIn.address === NATIVE) return [];
  const query = { tokenAddress: one.tokenIn.address, amount: amount.toString() };
  const answer = await world.api<{ calldata: Hex; to: Hex }>(
    `/v1/${world.chain.chainId}/transaction/approve`,
    query,
  );
  await revoke(world, payer, answer);
  const approval = { to: answer.to, data: answer.calldata, value: 0n, gas: 100_000n };
  const hash = await world.chain.send(payer, approval);
  if (!one.validated) return [{ ...approval, hash }];
  await world.chain.mine();
  if ((await world.chain.receipt(hash)).status !== "0x1") throw new Error("The approval reverted.");
  return [];
}

/** Takes back what a swap that reverted has left: some tokens change no allowance that is not 0. */
async function revoke(
  { chain }: World,
  payer: LocalAccount,
  { to, calldata }: { to: Hex; calldata: Hex },
): Promise<void> {
  const spender: Hex = `0x${calldata.slice(34, 74)}`;
  if ((await chain.allowance(to, payer.address, spender)) === 0n) return;
  const data: Hex = `${calldata.slice(0, 74) as Hex}${"0".repeat(64)}`;
  await chain.send(payer, { to, data, value: 0n, gas: 100_000n });
  await chain.mine();
}
