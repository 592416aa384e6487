import { type Abi, encodeDeployData, encodeFunctionData, type Hex, maxUint256, parseAbi } from "viem";
import { compile } from "../../../scripts/contracts/build-contracts.ts";
import { PERMIT2_ADDRESS } from "../../../src/core/encoding/index.ts";
import type { Receipt, TestChain } from "../chain.ts";

const GAS = "0x2dc6c0";
const abi = parseAbi([
  "function transfer(address to, uint256 value) returns (bool)",
  "function approve(address token, address spender, uint256 amount)",
]);

/** Where the wallet lies: makers are named before there is a chain to deploy to. */
export const WALLET: Hex = "0x00000000000000000000000000000000a9a19002";

/**
 * Deploys the wallet, gives it all that its owner holds of these tokens, and has it approve Permit2.
 *
 * @throws Error where a transaction fails
 */
export async function openWallet(chain: TestChain, owner: Hex, tokens: readonly Hex[]): Promise<void> {
  const send = async (transaction: { to?: Hex; data: Hex }) => {
    const hash = await chain.rpc<Hex>("eth_sendTransaction", [{ from: owner, gas: GAS, ...transaction }]);
    await chain.mine();
    const { status, contractAddress } = (await chain.receipt(hash)) as Receipt & { contractAddress: Hex };
    if (status !== "0x1") throw new Error(`A transaction of the maker's wallet reverted: ${hash}`);
    return contractAddress;
  };
  const { abi: form, initCode } = compile("test/models/MakerWallets.sol", "MakerWallet");
  const made = await send({
    data: encodeDeployData({ abi: form as Abi, bytecode: initCode, args: [owner] }),
  });
  await chain.rpc("anvil_setCode", [WALLET, await chain.rpc<Hex>("eth_getCode", [made, "latest"])]);
  for (const token of tokens) {
    const held = await chain.balanceOf(token, owner);
    await send({
      to: token,
      data: encodeFunctionData({ abi, functionName: "transfer", args: [WALLET, held] }),
    });
    const approve = encodeFunctionData({
      abi,
      functionName: "approve",
      args: [token, PERMIT2_ADDRESS, maxUint256],
    });
    await send({ to: WALLET, data: approve });
  }
}
