import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  type LocalAccount,
  numberToHex,
  parseAbi,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";

export type Receipt = {
  status: Hex;
  gasUsed: Hex;
  effectiveGasPrice: Hex;
  transactionHash: Hex;
  blockNumber: Hex;
};
export type Transaction = { to: Hex; data: Hex; value: bigint; gas: bigint };

export const NATIVE: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const DEVNET_MNEMONIC = "test test test test test test test test test test test junk";
const wethAbi = parseAbi(["function deposit() payable"]);

/** A devnet reached by plain JSON-RPC: blocks are mined on demand, wallets sign for themselves. */
export type TestChain = Awaited<ReturnType<typeof connect>>;

/** Takes over the block production of the devnet at `url`; call `release` to give it back. */
export async function connect(url: string) {
  const rpc = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const answer = (await response.json()) as { result: T; error?: { message: string; data?: Hex } };
    if (answer.error)
      throw Object.assign(new Error(`${method}: ${answer.error.message}`), { data: answer.error.data });
    return answer.result;
  };
  await rpc("evm_setIntervalMining", [0]);
  const chainId = Number(await rpc<Hex>("eth_chainId"));
  const call = (to: Hex, data: Hex) => rpc<Hex>("eth_call", [{ to, data }, "latest"]);
  const blockNumber = async () => Number(await rpc<Hex>("eth_blockNumber"));

  const balanceOf = async (token: Hex, account: Hex): Promise<bigint> => {
    if (token === NATIVE) return BigInt(await rpc<Hex>("eth_getBalance", [account, "latest"]));
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
    return decodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", data: await call(token, data) });
  };

  const allowance = async (token: Hex, owner: Hex, spender: Hex): Promise<bigint> => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
    return BigInt(await call(token, data));
  };

  /** One block, one second after the last. */
  const mine = async (): Promise<number> => {
    const head = await rpc<{ timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
    await rpc("evm_setNextBlockTimestamp", [numberToHex(BigInt(head.timestamp) + 1n)]);
    await rpc("evm_mine");
    return blockNumber();
  };

  const send = async (account: LocalAccount, transaction: Transaction, nonceOffset = 0): Promise<Hex> => {
    const nonce =
      Number(await rpc<Hex>("eth_getTransactionCount", [account.address, "latest"])) + nonceOffset;
    const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
    const signed = await account.signTransaction!({
      ...transaction,
      ...fees,
      nonce,
      chainId,
      type: "eip1559",
    });
    return rpc<Hex>("eth_sendRawTransaction", [signed]);
  };

  const receipt = async (hash: Hex): Promise<Receipt> => {
    const found = await rpc<Receipt | null>("eth_getTransactionReceipt", [hash]);
    if (found === null) throw new Error(`The block did not take the transaction ${hash}.`);
    return found;
  };

  return {
    chainId,
    rpc,
    mine,
    send,
    receipt,
    balanceOf,
    allowance,
    blockNumber,
    wallet: (index: number) => mnemonicToAccount(DEVNET_MNEMONIC, { addressIndex: index }),
    fund: (token: Hex, account: Hex, amount: bigint, wrapped: Hex) =>
      fund({ rpc, balanceOf }, token, account, { amount, wrapped }),
    release: () => rpc("evm_setIntervalMining", [1]),
  };
}

type Fundable = {
  rpc: <T>(method: string, params?: readonly unknown[]) => Promise<T>;
  balanceOf: (token: Hex, account: Hex) => Promise<bigint>;
};

const slots = new Map<Hex, number>();

/** Gives an account exactly `amount` of a token by writing its balance slot, or by wrapping where the token is backed. */
async function fund(
  chain: Fundable,
  token: Hex,
  account: Hex,
  want: { amount: bigint; wrapped: Hex },
): Promise<void> {
  if (token === NATIVE || token === want.wrapped) {
    await chain.rpc("anvil_setBalance", [account, numberToHex(want.amount + 10n ** 24n)]);
    if (token === NATIVE) return;
    const data = encodeFunctionData({ abi: wethAbi, functionName: "deposit" });
    await chain.rpc("anvil_impersonateAccount", [account]);
    await chain.rpc("eth_sendTransaction", [
      { from: account, to: token, data, value: numberToHex(want.amount) },
    ]);
    await chain.rpc("evm_mine");
    return;
  }
  const slot = slots.get(token) ?? (await balanceSlot(chain, token, account));
  slots.set(token, slot);
  await chain.rpc("anvil_setStorageAt", [
    token,
    slotKey(account, slot),
    numberToHex(want.amount, { size: 32 }),
  ]);
}

/** Finds the mapping slot of the balances by overriding candidates in an eth_call. */
async function balanceSlot(chain: Fundable, token: Hex, account: Hex): Promise<number> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
  const mark = numberToHex(0x5eedn, { size: 32 });
  for (let slot = 0; slot < 32; slot++) {
    const overrides = { [token]: { stateDiff: { [slotKey(account, slot)]: mark } } };
    if ((await chain.rpc<Hex>("eth_call", [{ to: token, data }, "latest", overrides])) === mark) return slot;
  }
  throw new Error(`No balance slot of ${token} was found.`);
}

function slotKey(account: Hex, slot: number): Hex {
  return keccak256(encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [account, BigInt(slot)]));
}
