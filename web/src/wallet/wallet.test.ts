import { expect, test } from "vitest";
import { BraidError } from "../../../packages/sdk/src/error.ts";
import { switchChain } from "./chain.ts";
import { walletOf } from "./discovery.ts";
import { walletFault } from "./provider.ts";
import { connect, type Session } from "./session.ts";

const provider = { request: async () => null };
const info = { rdns: "org.example", name: "Example", icon: "data:image/png;base64,AAAA" };

test("an announcement names a wallet; what is no wallet is passed over", () => {
  expect(walletOf({ info, provider })).toMatchObject({ id: "org.example", name: "Example", icon: info.icon });
  for (const odd of [undefined, null, {}, { info }, { info: {}, provider }, { info, provider: {} as never }])
    expect(walletOf(odd)).toBeUndefined();
});

test("a wallet that is locked and unlocked again is on the chain that it was on, or went to meanwhile", async () => {
  const heard = new Map<string, (value: never) => void>();
  const answers: Record<string, unknown> = { eth_requestAccounts: ["0xAA"], eth_chainId: "0x1" };
  const shown: (Session | undefined)[] = [];
  await connect(
    {
      id: "x",
      name: "X",
      icon: undefined,
      provider: {
        request: async ({ method }) => answers[method],
        on: (event, hear) => heard.set(event, hear),
      },
    },
    (session) => shown.push(session),
  );
  const tell = (event: string, value: unknown) => heard.get(event)?.(value as never);
  tell("accountsChanged", []);
  tell("accountsChanged", ["0xAA"]);
  tell("accountsChanged", []);
  tell("chainChanged", "0x2");
  tell("accountsChanged", ["0xAA"]);
  expect(shown.map((session) => session?.chainId)).toEqual([1, undefined, 1, undefined, undefined, 2]);
});

test("a wallet's icon is an image in the page or nothing: no address is ever loaded", () => {
  for (const icon of ["https://example.org/i.png", "data:text/html,x", "javascript:1", 7])
    expect(walletOf({ info: { ...info, icon }, provider })?.icon).toBeUndefined();
});

test("a refusal is told from a fault, also where the wallet wraps the error", () => {
  expect(walletFault({ code: 4001, message: "no" }).kind).toBe("rejected");
  expect(walletFault({ code: -32603, message: "x", data: { originalError: { code: 4902 } } }).kind).toBe(
    "unknown-chain",
  );
  expect(walletFault(new Error("MetaMask Tx Signature: User denied transaction signature.")).kind).toBe(
    "rejected",
  );
  expect(walletFault({ code: -32000, message: "insufficient funds" }).text).toContain("insufficient funds");
  expect(walletFault(undefined).kind).toBe("failed");
});

test("what the SDK puts around a wallet's refusal is looked through", () => {
  const cause = { code: 4001, message: "no" };
  const around = new BraidError("WALLET_REFUSED", "The wallet's owner refused.", { cause });
  expect(walletFault(around).kind).toBe("rejected");
  const short = new BraidError("WALLET_FAILED", "The wallet failed: x", { cause: new Error("no coins") });
  expect(walletFault(short).text).toBe("Your wallet refused: no coins");
});

test("only the devnet's endpoint is ever given to a wallet", async () => {
  const asked: unknown[] = [];
  const stranger = {
    request: async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
      asked.push([method, params]);
      if (method === "wallet_switchEthereumChain" && asked.length === 1) throw { code: 4902 };
      return null;
    },
  };
  const chain = { chainId: 1, name: "Ethereum", shortname: "eth" };
  await expect(switchChain(stranger, chain)).rejects.toThrow("does not know Ethereum");
  asked.length = 0;
  await switchChain(stranger, { ...chain, chainId: 31337, devnet_rpc_url: "http://127.0.0.1:8545" });
  expect(JSON.stringify(asked)).toContain("http://127.0.0.1:8545");
});
