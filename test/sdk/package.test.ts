import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HEADLESS_CHROMIUM } from "../../scripts/browser/chromium.ts";
import { useDevnet } from "./devnet.ts";

/** The SDK as its users have it: packed, installed in a folder of its own, run by node and by a browser. */

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A folder as `npm init` makes it: CommonJS, but for files that say otherwise. */
const folder = mkdtempSync(join(tmpdir(), "braid-sdk-"));
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

type Sdk = typeof import("../../packages/sdk/src/index.ts");

const devnet = useDevnet();
beforeAll(() => {
  execFileSync("npm", ["pack", "--pack-destination", folder], {
    cwd: join(root, "packages/sdk"),
    stdio: "pipe",
  });
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "commonjs" }');
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${tarball}`], {
    cwd: folder,
    stdio: "pipe",
  });
  symlinkSync(join(root, "node_modules/viem"), join(folder, "node_modules/viem"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An example of the package's README, asked of the running service. */
function example(index = 0): string {
  const page = readFileSync(join(root, "packages/sdk/README.md"), "utf8");
  const code = [...page.matchAll(/```ts\n([\s\S]+?)```/g)].map(([, each]) => each!);
  // The second one goes on with the first one's client.
  const local = (index === 0 ? code[0]! : `${setup(code[0]!)}\n${code[index]!}`)
    .replaceAll("http://127.0.0.1:8545", devnet.rpcUrl)
    .replaceAll("http://127.0.0.1:8080", devnet.url);
  expect(local).toContain(devnet.rpcUrl);
  expect(local).toContain(devnet.url);
  return local;
}

test("the package holds its modules and their types, and depends on nothing", () => {
  const installed = join(folder, "node_modules/braid-sdk");
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
  expect(files).toEqual(expect.arrayContaining(["README.md", "dist/index.js", "dist/index.d.ts"]));
  // Parcel 2 and older resolvers do not read "exports".
  expect(files).toEqual(expect.arrayContaining([manifest.main, manifest.types].map((path) => join(path))));
  // Other files of the repository are not in the package.
  expect(readFileSync(join(installed, "README.md"), "utf8")).not.toContain("](../");
  // The licence asks for its text in every copy.
  const licence = (path: string) => readFileSync(join(path, "LICENSE"), "utf8");
  expect(licence(installed)).toBe(licence(root));
  expect(
    files.filter((file) => file.includes("test") || (file.endsWith(".ts") && !file.endsWith(".d.ts"))),
  ).toEqual([]);
});

test("the example of the README swaps, in ten lines", () => {
  const code = example();
  expect(
    code
      .trim()
      .split("\n")
      .filter((line) => line !== "").length,
  ).toBeLessThanOrEqual(10);
  writeFileSync(join(folder, "example.mts"), code);
  const said = execFileSync(process.execPath, ["example.mts"], { cwd: folder, encoding: "utf8" });
  const [, sold, bought, quoted] = /^(\d+) sold, (\d+) bought \((\d+) quoted\): 0x[0-9a-f]{64}\n$/.exec(
    said,
  )!;
  expect([sold, bought]).toEqual(["1500000000000000000", quoted]);
});

/** The lines of an example that make its client and name its tokens. */
function setup(code: string): string {
  return code
    .split("\n")
    .filter((line) => !/await|console/.test(line))
    .join("\n");
}

test("the README's loop prints the price of each block", async () => {
  writeFileSync(join(folder, "loop.mts"), example(1));
  const loop = spawn(process.execPath, ["loop.mts"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: loop.stdout })) {
    lines.push(line);
    if (lines.length === 2) break;
  }
  loop.kill();
  expect(lines).toEqual([expect.stringMatching(/^\d+ \d+n$/), expect.stringMatching(/^\d+ \d+n$/)]);
  expect(lines[0]!.split(" ")[0]).not.toBe(lines[1]!.split(" ")[0]);
});

/** What the compiler says of a file that uses the package; empty where it is content. */
function complaints(name: string, code: string, skipLibCheck: boolean): string {
  writeFileSync(join(folder, name), code);
  const options =
    "--ignoreConfig --strict --exactOptionalPropertyTypes --noEmit --module nodenext --target es2022 --lib es2022,dom".split(
      " ",
    );
  const { stdout } = spawnSync(
    join(root, "node_modules/.bin/tsc"),
    [...options, "--skipLibCheck", String(skipLibCheck), name],
    { cwd: folder, encoding: "utf8" },
  );
  return stdout;
}

test("the package's types check whole by themselves, fit viem in the example, and tell a wrong use", () => {
  const use = (type: string) =>
    `import { parseAmount } from "braid-sdk";\nexport const one: ${type} = parseAmount("1", 18);\n`;
  const unset = ["side", "fee", "minOut", "signal", "onStep"].map((name) => `${name}: undefined`).join(", ");
  const request = `export const two: Partial<import("braid-sdk").SwapRequest> = { ${unset} };\n`;
  expect(complaints("right.mts", use("bigint") + request, false)).toBe("");
  expect(complaints("example.mts", example(), true)).toBe("");
  expect(complaints("wrong.mts", use("string"), false)).toContain("TS2322");
});

/** The installed modules and an empty page, from an origin that is not the service's. */
async function site(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = join(folder, "node_modules/braid-sdk/dist", request.url ?? "/");
    const body = request.url?.endsWith(".js") ? await readFile(path).catch(() => undefined) : undefined;
    response.writeHead(200, { "content-type": body === undefined ? "text/html" : "text/javascript" });
    response.end(
      body ??
        "<!doctype html><link rel=icon href='data:,'><script type=module>import * as sdk from '/index.js'; globalThis.sdk = sdk</script>",
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

if (HEADLESS_CHROMIUM === undefined)
  process.stderr.write("!!! LEFT OUT: the SDK in a browser: no Chromium here\n");
test.skipIf(HEADLESS_CHROMIUM === undefined)(
  "a page of another origin swaps with an injected wallet, and reads a failure",
  async () => {
    const server = await site();
    const browser = await chromium.launch({
      executablePath: HEADLESS_CHROMIUM!,
      args: ["--no-sandbox", "--disable-gpu"],
    });
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await page.waitForFunction("globalThis.sdk !== undefined");
      const told = await page.evaluate(
        async ({ url, rpc, usdc }) => {
          const { createBraid, NATIVE, parseAmount } = (globalThis as unknown as { sdk: Sdk }).sdk;
          const call = async ({ method, params = [] }: { method: string; params?: unknown }) => {
            const name = method === "eth_requestAccounts" ? "eth_accounts" : method;
            const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: name, params });
            const headers = { "content-type": "application/json" };
            const response = await fetch(rpc, { method: "POST", headers, body });
            const answer = (await response.json()) as { result: unknown; error?: object };
            if (answer.error) throw answer.error;
            return answer.result;
          };
          const braid = createBraid({ url });
          const wallet = { request: call };
          const bought = await braid.swap({
            wallet,
            sell: NATIVE,
            buy: usdc,
            amount: parseAmount("1.5", 18),
          });
          const sold = await braid.swap({ wallet, sell: usdc, buy: NATIVE, amount: bought.amountOut! });
          const same = { chainID: 31337, fromTokenAddress: NATIVE, toTokenAddress: NATIVE, amount: 1n };
          const refused = await braid.price(same).then(
            () => "answered",
            ({ reason, requestId }) => [reason, typeof requestId],
          );
          return {
            bought: [bought.allowedBy, bought.amountOut === bought.quotedOut],
            sold: [sold.allowedBy, sold.amountOut === sold.quotedOut],
            refused,
          };
        },
        { url: devnet.url, rpc: devnet.rpcUrl, usdc: USDC },
      );
      expect(told).toEqual({
        bought: ["native", true],
        sold: ["eip2612", true],
        refused: ["SAME_TOKEN", "string"],
      });
    } finally {
      await browser.close();
      server.close();
    }
  },
);
