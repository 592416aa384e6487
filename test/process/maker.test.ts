import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ONE_THREAD, type Stack, startStack } from "../support/stack.ts";

/** `npm run maker`, in the order of docs/makers.md. */

const MAKER = "scripts/maker/main.ts";
const NOWHERE = "http://127.0.0.1:1";
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const NATIVE = `0x${"e".repeat(40)}`;

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [MAKER, ...args], { encoding: "utf8" });
const printed = (...args: readonly string[]) => {
  const { status, stdout, stderr } = run("--print", "--rpc", NOWHERE, ...args);
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

describe("--print", () => {
  test.each([
    [[], { chain_id: 31_337, url: "http://127.0.0.1:8090" }],
    [["--port", "9", "--chain", "5", "--account", "2"], { chain_id: 5, url: "http://127.0.0.1:9" }],
    [["--secret", "sixteen letters!", "--push", NOWHERE], { push: true, secret: "sixteen letters!" }],
    [["--airswap"], { protocol: "airswap" }],
  ])("with %j is a MAKERS_FILE, without a node", (args, entry) => {
    const file = printed(...args);
    expect(file.makers).toEqual([expect.objectContaining({ name: "Reference", ...entry })]);
  });
});

describe("mistakes are told in one line", () => {
  test.each([
    [["--rpc", `${NOWHERE}/key`], 1, /^No node answers at http:\/\/127\.0\.0\.1:1: .*\n$/],
    [["--rpc", "nowhere"], 2, /^--rpc: an address such as .* is wanted\n/],
    [["--print", "--port", "0"], 2, /^--print: the port/],
    [["--port", "65536"], 2, /^--port: .* at most 65535 .* "65536"\n/],
    [["--account", "2147483648"], 2, /^--account: .* "2147483648"\n/],
    [["--push", "nowhere", "--secret", "sixteen letters!"], 2, /^--push: an address/],
    [["--secret", "short"], 2, /^--secret: at least 16 characters .* not 5\n/],
  ])("%j", (args, status, message) => {
    const done = run(...args);
    expect([done.status, done.stdout]).toEqual([status, ""]);
    expect(done.stderr).toMatch(message);
    expect(done.stderr).not.toContain("    at ");
  });
});

describe("as docs/makers.md starts it", () => {
  const folder = mkdtempSync(join(tmpdir(), "maker-"));
  const file = join(folder, "makers.json");
  let stack: Stack | undefined;
  let maker: ChildProcess | undefined;
  let said = "";
  beforeAll(async () => {
    const port = String(await freePort());
    writeFileSync(file, run("--print", "--port", port).stdout);
    stack = await startStack({ ...ONE_THREAD, MAKERS_FILE: file });
    maker = spawn(process.execPath, [MAKER, "--port", port, "--rpc", stack.rpc]);
    maker.stdout!.on("data", (text: Buffer) => {
      said += text;
    });
  });
  afterAll(async () => {
    maker?.kill("SIGTERM");
    await stack?.stop();
    rmSync(folder, { recursive: true });
  });

  test("the file is the one that the running maker prints, and the service trades with it", async () => {
    // On a busy machine the maker's levels may be too old at times.
    const patience = { timeout: 30_000, interval: 100 };
    const answer = async (path: string) => (await fetch(`${stack!.url}/v1/31337/${path}`)).text();
    const pair = `fromTokenAddress=${NATIVE}&toTokenAddress=${USDC}`;
    await expect
      .poll(() => answer(`price?${pair}&amount=1000000000000000000&rfqOnly=true`), patience)
      .toMatch(/"protocol_name":"Reference"/);
    for (const token of [WETH, NATIVE])
      await expect
        .poll(() => answer("tokens"), patience)
        .toMatch(new RegExp(`"address":"${token}"[^}]*"is_rfq_mode":true`));
    expect(said).toBe(`MAKERS_FILE for it:\n${readFileSync(file, "utf8")}`);
  });
});
