import { untilAborted } from "../abort.ts";
import { BraidError, refuse } from "../error.ts";
import type { Hex } from "../hex.ts";
import type { TypedData } from "../quote/typed-data.ts";
import { inTurn } from "./in-turn.ts";
import { isObject, isRefusal, messageOf, unlessUnable } from "./wallet-error.ts";

export type Transaction = {
  readonly to: Hex;
  readonly data: Hex;
  readonly value: bigint;
  /** Gas limit; undefined = the wallet estimates it. */
  readonly gas: bigint | undefined;
  /** The only chain on which it may be sent; undefined = the wallet's. */
  readonly chainID?: number | undefined;
};

/** The functions of a wallet that a swap needs. */
export type Wallet = {
  readonly address: Hex;
  /** The program holds its key, so that it answers without asking anybody. */
  readonly holdsKey?: boolean;
  /** Calls a JSON-RPC method of the wallet or its node. */
  rpc(method: string, parameters: readonly unknown[]): Promise<unknown>;
  /** @returns the transaction's hash */
  send(transaction: Transaction): Promise<Hex>;
  /** @returns the signature of `eth_signTypedData_v4` */
  sign(data: TypedData): Promise<Hex>;
};

/** An EIP-1193 provider, as browser wallets inject it and most libraries can create it. */
export type Eip1193Provider = {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
};

/** The part of viem's WalletClient that is used. */
export type ViemWalletClient = {
  readonly account?: { readonly address: Hex; readonly type?: string } | undefined;
  // viem's parameter types depend on chain and account; the calls in this file are valid for all of them.
  request(request: never): Promise<unknown>;
  sendTransaction(request: never): Promise<Hex>;
  signTypedData(request: never): Promise<Hex>;
};

/** The part of an ethers 6 Signer that is used. */
export type EthersSigner = {
  readonly provider: unknown;
  getAddress(): Promise<string>;
  sendTransaction(request: Record<string, unknown>): Promise<{ readonly hash: string }>;
  signTypedData(
    domain: Record<string, unknown>,
    types: Record<string, { name: string; type: string }[]>,
    message: Record<string, unknown>,
  ): Promise<string>;
};

export type AnyWallet = Wallet | Eip1193Provider | ViemWalletClient | EthersSigner;

const hex = (value: bigint): Hex => `0x${value.toString(16)}`;

/** Converts any supported wallet. @throws BraidError WALLET_FAILED for other objects, or a wallet without an account */
export async function toWallet(wallet: AnyWallet): Promise<Wallet> {
  if (!isObject(wallet)) throw refuse("WALLET_FAILED", `The wallet is ${String(wallet)}.`);
  if ("rpc" in wallet && "sign" in wallet) return wallet;
  if ("getAddress" in wallet) return fromEthers(wallet);
  if ("sendTransaction" in wallet) return fromViem(wallet);
  if ("request" in wallet) return fromProvider(wallet);
  throw refuse("WALLET_FAILED", "The wallet is no EIP-1193 provider, viem WalletClient or ethers Signer.");
}

/** @throws BraidError WALLET_FAILED for an answer that is no hash */
export function requireHash(given: unknown): Hex {
  if (typeof given === "string" && /^0x[0-9a-f]+$/i.test(given)) return given as Hex;
  throw maybeSent("a transaction's hash", given);
}

/** The failure of a wallet that answers something else than what names the transaction or batch that it was to send. */
export function maybeSent(what: string, given: unknown): BraidError {
  const text = `The wallet answered ${String(given)} in the place of ${what}; it may have sent the transaction.`;
  return refuse("WALLET_FAILED", text, { details: [{ field: "transaction", reason: "may have been sent" }] });
}

/** @returns undefined where the wallet signs no typed data, or the account is a contract whose signature is longer */
export async function signatureOf(wallet: Pick<Wallet, "sign">, data: TypedData): Promise<Hex | undefined> {
  const signature: unknown = await wallet.sign(data).catch(unlessUnable);
  return typeof signature === "string" && /^0x[0-9a-f]{130}$/i.test(signature)
    ? (signature as Hex)
    : undefined;
}

/** Longest wait for an answer that needs nobody's consent. */
const READ_MS = 30_000;

/**
 * The wallet, whose reads and signatures end with the reason of a signal that is aborted, and whose reads end after
 * `READ_MS`. What it sends is not ended, so that its hash or id is not lost; see `send` and `batched`.
 */
export function endingWith(signals: readonly AbortSignal[], wallet: Wallet): Wallet {
  return {
    address: wallet.address,
    holdsKey: wallet.holdsKey === true,
    rpc: (method, parameters) => {
      if (method === "wallet_sendCalls") return wallet.rpc(method, parameters);
      return within(READ_MS, method, () => untilAborted(signals, () => wallet.rpc(method, parameters)));
    },
    sign: (data) => untilAborted(signals, () => wallet.sign(data)),
    send: (transaction) => wallet.send(transaction),
  };
}

/**
 * The answer of a wallet, where it comes in time: a wallet at the other end of a connection may never answer.
 *
 * @throws BraidError WALLET_FAILED
 */
export async function within<T>(ms: number, method: string, call: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const text = `The wallet has not answered ${method} for ${ms / 1000} s. Check that it is open and connected.`;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(refuse("WALLET_FAILED", text)), ms);
  });
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Wraps an EIP-1193 provider. @param account default: the first account of eth_requestAccounts */
export async function fromProvider(provider: Eip1193Provider, account?: Hex): Promise<Wallet> {
  const rpc = (method: string, params: readonly unknown[]) =>
    guarded(() => provider.request({ method, params }));
  const address = account ?? ((await rpc("eth_requestAccounts", [])) as Hex[] | undefined)?.[0];
  if (address === undefined) throw refuse("WALLET_FAILED", "The wallet gave no account.");
  return {
    address,
    rpc,
    sign: (data) => rpc("eth_signTypedData_v4", [address, JSON.stringify(data)]) as Promise<Hex>,
    send: ({ to, data, value, gas, chainID }) => {
      const limit = gas === undefined ? {} : { gas: hex(gas) };
      const chain = chainID === undefined ? {} : { chainId: hex(BigInt(chainID)) };
      return rpc("eth_sendTransaction", [
        { from: address, to, data, value: hex(value), ...limit, ...chain },
      ]) as Promise<Hex>;
    },
  };
}

export function fromViem(client: ViemWalletClient): Wallet {
  const { account } = client;
  if (account === undefined) throw refuse("WALLET_FAILED", "The viem WalletClient has no account.");
  const { request, sendTransaction, signTypedData } = client as unknown as Record<string, Anything>;
  const holdsKey = account.type === "local";
  return {
    address: account.address,
    holdsKey,
    rpc: (method, params) => guarded(() => request!({ method, params })),
    send: ({ chainID, ...transaction }) => {
      // viem compares the chain's id with the node's, and needs no more of the chain than that.
      const chain = chainID === undefined ? null : { id: chainID, name: `chain ${chainID}` };
      const send = () => guarded(() => sendTransaction!({ account, chain, ...transaction })) as Promise<Hex>;
      return holdsKey ? inTurn(account.address, send) : send();
    },
    sign: (data) => guarded(() => signTypedData!({ account, ...data })) as Promise<Hex>,
  };
}

type Anything = (request: unknown) => Promise<unknown>;

export async function fromEthers(signer: EthersSigner): Promise<Wallet> {
  const provider = signer.provider as { send?: (method: string, params: unknown) => Promise<unknown> } | null;
  if (typeof provider?.send !== "function")
    throw refuse("WALLET_FAILED", "The ethers Signer has no provider that sends JSON-RPC.");
  const address = (await signer.getAddress()) as Hex;
  const holdsKey = "signingKey" in signer;
  return {
    address,
    holdsKey,
    rpc: (method, params) => guarded(() => provider.send!(method, params)),
    send: async ({ to, data, value, gas, chainID }) => {
      const limit = gas === undefined ? {} : { gasLimit: gas };
      const chain = chainID === undefined ? {} : { chainId: chainID };
      const send = () => guarded(() => signer.sendTransaction({ to, data, value, ...limit, ...chain }));
      return (await (holdsKey ? inTurn(address, send) : send())).hash as Hex;
    },
    sign: ({ types, domain, message }) => {
      const { EIP712Domain: _, ...structs } = types as Record<string, { name: string; type: string }[]>;
      return guarded(() => signer.signTypedData({ ...domain }, structs, { ...message })) as Promise<Hex>;
    },
  };
}

async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof BraidError) throw cause;
    if (isRefusal(cause)) throw refuse("WALLET_REFUSED", "The wallet's owner refused.", { cause });
    throw refuse("WALLET_FAILED", `The wallet failed: ${messageOf(cause)}`, { cause });
  }
}
