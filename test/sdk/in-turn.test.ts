import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { type EthersSigner, toWallet, type ViemWalletClient } from "../../packages/sdk/src/wallet/wallet.ts";
import { ME } from "./injected.ts";

/** Sends as a key in a program's memory does: it asks for the next nonce, signs, and the node counts what it received. */
function localKey() {
  let pending = 0;
  const sent: number[] = [];
  return {
    sent,
    async send() {
      const nonce = pending;
      await pause(5);
      sent.push(nonce);
      pending = nonce + 1;
      if (sent.length === 2) throw new Error("the second one fails");
      return `0x${nonce.toString(16)}` as const;
    },
  };
}

const call = { to: ME, data: "0x", value: 0n, gas: undefined } as const;
const clientOf = (type: string, send: () => Promise<string>) =>
  ({ account: { address: ME, type }, request() {}, sendTransaction: send, signTypedData() {} }) as never;

test("transactions that one local key of viem sends at once have a nonce each, also after one that failed", async () => {
  const { sent, send } = localKey();
  const [one, other] = [clientOf("local", send), clientOf("local", send)] as ViemWalletClient[];
  const wallets = [await toWallet(one!), await toWallet(other!)];
  const [first, second] = [0, 1].map((n) => wallets[n]!.send(call));
  await expect(first).resolves.toBe("0x0");
  await expect(second).rejects.toThrow("the second one fails");
  await expect(wallets[0]!.send(call)).resolves.toBe("0x2");
  expect(sent).toEqual([0, 1, 2]);
});

test("so have those of an ethers Wallet", async () => {
  const { sent, send } = localKey();
  const signer = {
    ...{ provider: { send() {} }, getAddress: async () => ME, signingKey: {}, signTypedData() {} },
    sendTransaction: async () => ({ hash: await send() }),
  } as unknown as EthersSigner;
  const wallet = await toWallet(signer);
  await Promise.allSettled([wallet.send(call), wallet.send(call)]);
  expect(sent).toEqual([0, 1]);
});

test("an account whose wallet asks its owner is not held back: the wallet shows both requests", async () => {
  const asked: string[] = [];
  const send = () => {
    asked.push("asked");
    return new Promise<string>(() => {});
  };
  const wallet = await toWallet(clientOf("json-rpc", send) as ViemWalletClient);
  void wallet.send(call);
  void wallet.send(call);
  expect(asked).toHaveLength(2);
});
