import { BraidError, refuse } from "../error.ts";
import type { Hex } from "../hex.ts";
import type { TypedData } from "../quote/typed-data.ts";

export type Transaction = {
  readonly to: Hex;
  readonly data: Hex;
  readonly value: bigint;
  /** Gas limit; undefined = the wallet estimates it. */
  readonly gas: bigint | undefined;
};

/** What a swap needs of a wallet. */
export type Wallet = {
  readonly address: Hex;
  /** A JSON-RPC method of the wallet or of the node behind it. */
  rpc(method: string, parameters: readonly unknown[]): Promise<unknown>;
  /** @returns the transaction's hash */
  send(transaction: Transaction): Promise<Hex>;
  /** @returns the signature of `eth_signTypedData_v4` */
  sign(data: TypedData): Promise<Hex>;
};

/** EIP-1193: what a browser's wallet injects, and what most libraries can give. */
export type Eip1193Provider = {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
};

/** What is used of viem's WalletClient. */
export type ViemWalletClient = {
  readonly account?: { readonly address: Hex } | undefined;
  // viem's parameters depend on its chain and account; the calls below are the same for all of them.
  request(request: never): Promise<unknown>;
  sendTransaction(request: never): Promise<Hex>;
  signTypedData(request: never): Promise<Hex>;
};

/** What is used of a Signer of ethers 6. */
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

/** @throws BraidError WALLET_FAILED for something that is none of the kinds known, or has no account */
export async function toWallet(wallet: AnyWallet): Promise<Wallet> {
  if ("rpc" in wallet && "sign" in wallet) return wallet;
  if ("getAddress" in wallet) return fromEthers(wallet);
  if ("sendTransaction" in wallet) return fromViem(wallet);
  if ("request" in wallet) return fromProvider(wallet);
  throw refuse("WALLET_FAILED", "The wallet is no EIP-1193 provider, viem WalletClient or ethers Signer.");
}

/** @param account default: the first that the provider gives on eth_requestAccounts */
export async function fromProvider(provider: Eip1193Provider, account?: Hex): Promise<Wallet> {
  const rpc = (method: string, params: readonly unknown[]) =>
    guarded(() => provider.request({ method, params }));
  const address = account ?? ((await rpc("eth_requestAccounts", [])) as Hex[] | undefined)?.[0];
  if (address === undefined) throw refuse("WALLET_FAILED", "The wallet gave no account.");
  return {
    address,
    rpc,
    sign: (data) => rpc("eth_signTypedData_v4", [address, JSON.stringify(data)]) as Promise<Hex>,
    send: ({ to, data, value, gas }) => {
      const limit = gas === undefined ? {} : { gas: hex(gas) };
      return rpc("eth_sendTransaction", [
        { from: address, to, data, value: hex(value), ...limit },
      ]) as Promise<Hex>;
    },
  };
}

export function fromViem(client: ViemWalletClient): Wallet {
  const { account } = client;
  if (account === undefined) throw refuse("WALLET_FAILED", "The viem WalletClient has no account.");
  const { request, sendTransaction, signTypedData } = client as unknown as Record<string, Anything>;
  return {
    address: account.address,
    rpc: (method, params) => guarded(() => request!({ method, params })),
    send: (transaction) =>
      guarded(() => sendTransaction!({ account, chain: null, ...transaction })) as Promise<Hex>,
    sign: (data) => guarded(() => signTypedData!({ account, ...data })) as Promise<Hex>,
  };
}

type Anything = (request: unknown) => Promise<unknown>;

export async function fromEthers(signer: EthersSigner): Promise<Wallet> {
  const provider = signer.provider as { send?: (method: string, params: unknown) => Promise<unknown> } | null;
  if (typeof provider?.send !== "function")
    throw refuse("WALLET_FAILED", "The ethers Signer has no provider that sends JSON-RPC.");
  return {
    address: (await signer.getAddress()) as Hex,
    rpc: (method, params) => guarded(() => provider.send!(method, params)),
    send: async ({ to, data, value, gas }) =>
      (
        await guarded(() =>
          signer.sendTransaction({ to, data, value, ...(gas === undefined ? {} : { gasLimit: gas }) }),
        )
      ).hash as Hex,
    sign: ({ types, domain, message }) => {
      const { EIP712Domain: _, ...structs } = types as Record<string, { name: string; type: string }[]>;
      return guarded(() => signer.signTypedData({ ...domain }, structs, { ...message })) as Promise<Hex>;
    },
  };
}

/** EIP-1193's number for "the user said no". */
const REFUSED = 4001;

async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof BraidError) throw cause;
    const said = messageOf(cause);
    if (isRefusal(cause)) throw refuse("WALLET_REFUSED", "The wallet's owner refused.", { cause });
    throw refuse("WALLET_FAILED", `The wallet failed: ${said}`, { cause });
  }
}

/** Libraries wrap the wallet's error in errors of their own. */
function isRefusal(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Object && depth < 8; depth++) {
    const { code, cause, info } = each as { code?: unknown; cause?: unknown; info?: { error?: unknown } };
    if (code === REFUSED || code === "ACTION_REJECTED") return true;
    each = cause ?? info?.error;
  }
  return false;
}

function messageOf(error: unknown): string {
  const { shortMessage, message } = error as { shortMessage?: string; message?: string };
  return String(shortMessage ?? message ?? error).split("\n")[0]!;
}
