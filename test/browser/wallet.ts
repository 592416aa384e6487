import type { Page } from "playwright-core";
import type { SentSwap } from "../support/chain-moves.ts";

/** How the injected wallet answers from now on. */
export type WalletMood = {
  /** Methods that its user rejects. */
  readonly rejects?: readonly string[];
  /** Answers that replace the node's, by method. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Happens when the user has confirmed a transaction, before it is sent. */
  readonly beforeSending?: (transaction: SentSwap) => Promise<unknown>;
  /** The chain that it is on at first. */
  readonly chainId?: string;
  /** Says that it runs several calls as one. */
  readonly batches?: boolean;
};

/** Calls that the page made of the wallet, in order. */
export type InjectedWallet = {
  readonly asked: { readonly method: string; readonly params: readonly unknown[] }[];
  mood: WalletMood;
};

/** With a limit of gas, the node sends what it would not estimate. */
const ENOUGH_GAS = "0x1e8480";

/**
 * A wallet of another maker in the page: announced by EIP-6963, with the devnet's unlocked account behind it. The page
 * reaches the node over a bridge of the browser's driver, as an extension's background page would.
 */
export async function injectWallet(page: Page, rpc: string, account: string): Promise<InjectedWallet> {
  const wallet: InjectedWallet = { asked: [], mood: {} };
  let switchedTo: string | undefined;
  const node = async (method: string, params: readonly unknown[]) => {
    const response = await fetch(rpc, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return (await response.json()) as { result?: unknown; error?: { code: number; message: string } };
  };
  const batches = new Map<string, unknown[]>();
  const sendCalls = async ([{ calls }]: readonly [
    { calls: { to: string; data: string; value: string }[] },
  ]) => {
    const receipts: unknown[] = [];
    for (const call of calls) {
      const sent = await node("eth_sendTransaction", [{ from: account, ...call }]);
      if (sent.error !== undefined) return { error: sent.error };
      for (;;) {
        const { result } = await node("eth_getTransactionReceipt", [sent.result]);
        if (result) {
          receipts.push(result);
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    const id = `0x${batches.size + 1}`;
    batches.set(id, receipts);
    return { result: { id } };
  };
  const own: Record<string, (params: never) => unknown> = {
    eth_requestAccounts: () => [account],
    eth_accounts: () => [account],
    eth_chainId: () => switchedTo ?? wallet.mood.chainId ?? "0x7a69",
    wallet_switchEthereumChain: ([to]: readonly [{ chainId: string }]) => {
      switchedTo = to.chainId;
      return null;
    },
    wallet_getCapabilities: () =>
      wallet.mood.batches ? { "0x7a69": { atomic: { status: "supported" } } } : {},
    wallet_getCallsStatus: ([id]: readonly [string]) => ({ status: 200, receipts: batches.get(id) }),
  };
  await page.exposeFunction("askWallet", async (method: string, params: readonly unknown[]) => {
    wallet.asked.push({ method, params });
    const { rejects = [], answers = {} } = wallet.mood;
    if (rejects.includes(method)) return { error: { code: 4001, message: "User rejected the request." } };
    if (method in answers) return { result: answers[method] };
    if (method === "eth_sendTransaction" && wallet.mood.beforeSending !== undefined) {
      await wallet.mood.beforeSending(params[0] as SentSwap);
      return node(method, [{ ...(params[0] as object), gas: ENOUGH_GAS }]);
    }
    if (method === "wallet_sendCalls") return sendCalls(params as never);
    const mine = own[method];
    return mine === undefined ? node(method, params) : { result: mine(params as never) };
  });
  await page.addInitScript(ANNOUNCE);
  return wallet;
}

/** The page's own test account, whose calls pass through here on their way to the service. It rejects nothing, and batches nothing. */
export async function watchTestAccount(page: Page): Promise<InjectedWallet> {
  const wallet: InjectedWallet = { asked: [], mood: {} };
  await page.route("**/devnet/rpc", async (route) => {
    const call = route.request().postDataJSON() as { method: string; params: unknown[] };
    wallet.asked.push({ method: call.method, params: call.params });
    const { beforeSending } = wallet.mood;
    if (call.method !== "eth_sendTransaction" || beforeSending === undefined) return route.continue();
    const transaction = call.params[0] as SentSwap;
    await beforeSending(transaction);
    return route.continue({
      postData: JSON.stringify({ ...call, params: [{ ...transaction, gas: ENOUGH_GAS }] }),
    });
  });
  return wallet;
}

/** The wallet tells the page that its account or its chain is another one. */
export async function tellPage(
  page: Page,
  event: "accountsChanged" | "chainChanged",
  detail: unknown,
): Promise<void> {
  await page.evaluate(`tellPage(${JSON.stringify(event)}, ${JSON.stringify(detail)})`);
}

const ANNOUNCE = `(() => {
  const heard = new EventTarget();
  const provider = {
    async request({ method, params = [] }) {
      const { result, error } = await window.askWallet(method, params);
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
    on: (event, hear) => heard.addEventListener(event, ({ detail }) => hear(detail)),
    removeListener() {},
  };
  window.tellPage = (event, detail) => heard.dispatchEvent(new CustomEvent(event, { detail }));
  const info = { uuid: "1", name: "Other Wallet", rdns: "org.example.other", icon: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E" };
  const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  addEventListener("eip6963:requestProvider", announce);
  announce();
})()`;
