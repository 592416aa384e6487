import { afterEach, expect, test, vi } from "vitest";
import { deploy } from "../../scripts/contracts/deploy.ts";
import { ALLOW_ALL } from "../../src/core/allowance.ts";
import { ROUTER_ADDRESS } from "../../src/core/encoding/index.ts";
import { type Address, NATIVE } from "../../src/core/types.ts";
import { startDevnet } from "../../src/devnet/index.ts";
import { type Anvil, inPrivateFolder, startAnvil } from "../../src/devnet/node/anvil.ts";
import { claimPort } from "../../src/devnet/node/port.ts";
import { USDC } from "../../src/devnet/plan/addresses.ts";
import { serveChain } from "../../src/edge/serve-chain.ts";
import { defaultEdgeSettings } from "../../src/edge/settings.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { protocols } from "../../src/protocols/index.ts";
import { counterChain } from "./counter.ts";
import { silent } from "./follow.ts";
import { createRpcTo } from "./plain-rpc.ts";

/** The router's existence on real nodes. */

const PATIENT = { timeout: 240_000, interval: 50 };
const tokens = openTokenRegistry(undefined, silent);
let open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.reverse()) await close();
  open = [];
});

async function serve(chain: Parameters<typeof serveChain>[0]["chain"], urls: readonly string[]) {
  const served = serveChain({
    chain,
    endpoints: urls,
    registry: protocols,
    router: ROUTER_ADDRESS,
    tokens,
    settings: { ...defaultEdgeSettings, pollMs: 20 },
    log: silent,
  });
  open.push(() => served.stop());
  await served.start();
  return served;
}

async function anvil(...more: string[]): Promise<Anvil> {
  const host = "127.0.0.1";
  const port = await claimPort(host, 0);
  const node = await inPrivateFolder((home) => startAnvil({ host, port, arguments: more }, home));
  open.push(async () => node.kill());
  return node;
}

test("a router that is gone is told, prices go on, and a deployment is noticed without a restart", async () => {
  const devnet = await startDevnet({
    chainId: 31337,
    port: 0,
    dataDir: undefined,
    traffic: false,
    blockTimeMs: 0,
    log: () => undefined,
  });
  open.push(() => devnet.stop());
  const rpc = createRpcTo(devnet.url);
  await rpc("anvil_setCode", ROUTER_ADDRESS, "0x");
  await rpc("evm_mine");
  const served = await serve(devnet.chain, [devnet.url]);
  await served.ready;
  expect(served.routerTrouble()).toBe(`no code lies at ${ROUTER_ADDRESS}`);
  const ask = { tokenIn: NATIVE, tokenOut: USDC as Address, amount: 10n ** 18n, side: "in" as const };
  const limits = { gasPriceWei: undefined, allowed: ALLOW_ALL, maxHops: 4, maxLegs: 4, timeoutMs: 1000 };
  const found = await served.market.session("a caller", ({ find }) => find({ ...ask, ...limits }));
  expect(found.kind).toBe("found");

  await rpc("anvil_setCode", ROUTER_ADDRESS, "0x6001");
  await rpc("evm_mine");
  await vi.waitUntil(() => served.routerTrouble()?.startsWith("other code"), PATIENT);

  await rpc("anvil_setCode", ROUTER_ADDRESS, "0x");
  // What was created there before would be in the way of creating it again.
  await rpc("anvil_setNonce", ROUTER_ADDRESS, "0x0");
  const deployed = deploy({ chainId: 31337, url: devnet.url, key: undefined });
  const miner = setInterval(() => void rpc("evm_mine").catch(() => undefined), 100);
  await deployed.finally(() => clearInterval(miner));
  await vi.waitUntil(() => served.routerTrouble() === undefined, PATIENT);
});

test("a chain without transient storage has no router, whatever lies at the address", async () => {
  const node = await anvil("--hardfork", "shanghai");
  const served = await serve({ ...counterChain(31337), deployments: [] }, [node.url]);
  await vi.waitUntil(() => /no code|EIP-1153/.test(served.routerTrouble() ?? ""), PATIENT);
  const { default: artifact } = await import("../../contracts/out/Router.json", { with: { type: "json" } });
  const devnet = await anvil();
  await deploy({ chainId: 31337, url: devnet.url, key: undefined });
  const code = await devnet.rpc.call("eth_getCode", [artifact.address, "latest"]);
  await node.rpc.call("anvil_setCode", [artifact.address, code]);
  await node.rpc.call("evm_mine", []);
  await vi.waitUntil(() => /EIP-1153/.test(served.routerTrouble() ?? ""), PATIENT);
});

test("before a node said anything, and where one of two sees it missing, there is no router", async () => {
  const [first, second] = [await anvil(), await anvil()];
  const served = await serve({ ...counterChain(31337), deployments: [] }, [first.url, second.url]);
  await vi.waitUntil(() => served.routerTrouble() === `no code lies at ${ROUTER_ADDRESS}`, PATIENT);
  await deploy({ chainId: 31337, url: first.url, key: undefined });
  const alone = await serve({ ...counterChain(31337), deployments: [] }, [first.url]);
  expect(alone.routerTrouble()).toMatch(/no node has said yet/);
  await vi.waitUntil(() => alone.routerTrouble() === undefined, PATIENT);
  expect(served.routerTrouble()).toBeDefined();
});
