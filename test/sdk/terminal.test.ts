import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mnemonicToAccount } from "viem/accounts";
import { toHex } from "viem/utils";
import { describe, expect, test } from "vitest";
import { MNEMONIC, useDevnet } from "./devnet.ts";

/** `npm run braid` against the service as `npm start` runs it. */

const PAIR = ["1.5", "WETH", "USDC"];
const account = mnemonicToAccount(MNEMONIC);
const TEST_KEY = toHex(account.getHdKey().privateKey!);

const devnet = useDevnet();

function terminal(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> {
  const all = { ...process.env, BRAID_URL: devnet.url, ...env };
  const done = spawnSync(process.execPath, ["scripts/terminal/braid.ts", ...args], {
    encoding: "utf8",
    env: all,
  });
  expect(`${done.stdout}${done.stderr}`).not.toMatch(/\n\s+at .*:\d+/);
  return done;
}

const said = (...args: string[]) => {
  const { status, stdout, stderr } = terminal(args);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
};

describe("reading", () => {
  test("price and quote take an amount and two symbols, and draw the route", () => {
    const price = said("price", ...PAIR);
    expect(price).toMatch(
      /^1\.5 WETH.* → [\d.]+ USDC.*\nat least [\d.]+ USDC, slippage 0\.5 %, .*gas \d+.*, block \d+\n/,
    );
    expect(price).toMatch(/──\[ .+ \]──▶/);
    const quote = said("quote", ...PAIR, "--slippage", "1%");
    expect(quote).toMatch(/\nto {8}0x[0-9a-f]{40}\nvalue {5}0\nvalid to {2}\d{4}-.*\ncalldata {2}0xb6b4c488/);
  });

  test("--buy, fees and sources are passed on, and --json is the service's answer", () => {
    const fees = ["--fee", "0.3", "--sell-fee", "0.5%", "--fee-recipient", `0x${"5".repeat(40)}`];
    const offer = JSON.parse(said("price", "2000", "ETH", "usdc", "--buy", "--json", ...fees));
    expect(offer).toMatchObject({ side: "BUY", token_in: `0x${"e".repeat(40)}` });
    expect(BigInt(offer.amount_out_total)).toBeGreaterThanOrEqual(2_000_000_000n);
    expect(BigInt(offer.sell_fee_amount)).toBe((BigInt(offer.amount_in) * 5n) / 1000n);
    const only = JSON.parse(said("price", ...PAIR, "--json", "--include", "sushi-v2"));
    const used = only.route_graph.steps.map((step: { deployment: string }) => step.deployment);
    expect(new Set(used)).toEqual(new Set(["sushi-v2"]));
  });

  test("a number below 1 needs no digit before its dot", () => {
    const offer = said("price", ".5", "WETH", "USDC", "--slippage", ".5");
    expect(offer).toMatch(/^0\.5 WETH.*\nat least [\d.]+ USDC, slippage 0\.5 %, /);
  });

  test("routes are net of gas, unless --no-gas says otherwise", () => {
    const gasOf = (...more: string[]) =>
      JSON.parse(said("price", "20", "ETH", "USDC", "--json", ...more)).estimate_gas_total;
    expect(2 * Number(gasOf())).toBeLessThan(Number(gasOf("--no-gas")));
  });

  test("tokens, status and watch", () => {
    expect(said("tokens", "usd co")).toMatch(/^USDC +0xa0b8/);
    expect(terminal(["tokens", "zzz"]).stderr).toBe('No token of chain 31337 has "zzz" in it.\n');
    expect(said("status")).toMatch(/^Braid \d.*: ok\n31337 .*live, block \d+/);
    const lines = said("watch", ...PAIR, "--count", "2")
      .trim()
      .split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^block \d+ .* \+0\.000 %$/),
      expect.stringMatching(/^block/),
    ]);
    expect(lines[0]!.slice(0, 12)).not.toBe(lines[1]!.slice(0, 12));
  });

  test("npm run quote takes its old flags", () => {
    const flags = [
      "--from",
      "WETH",
      "--to",
      "USDC",
      "--amount",
      "1000000000000000000",
      "--slippage",
      "5",
      "--gas",
    ];
    const run = (...more: string[]) =>
      spawnSync(process.execPath, ["scripts/terminal/quote.ts", "--url", devnet.url, ...flags, ...more], {
        encoding: "utf8",
      });
    expect(run().stdout).toMatch(/^1 WETH.* → [\d.]+ USDC[\s\S]*──▶/);
    expect(JSON.parse(run("--json").stdout).amount_in).toBe("1000000000000000000");
    // Of two values of one flag, the last one counts.
    for (const [text, percent] of [
      ["5", "0.5"],
      ["0.5%", "0.5"],
      ["50", "5"],
    ] as const) {
      const { stdout } = run("--slippage", text);
      const { paid, least } = /→ (?<paid>[\d.]+) USDC[\s\S]*at least (?<least>[\d.]+) USDC/.exec(stdout)!
        .groups!;
      expect(stdout, text).toContain(` USDC, slippage ${percent} %, `);
      expect(Number(least) / Number(paid), text).toBeCloseTo(1 - Number(percent) / 100, 6);
    }
    expect(run("--slippage", "lots")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        "--slippage is in thousandths, such as 5, or a percentage, such as 0.5%",
      ),
    });
    expect(run("--slippage", "0,5").stderr).toContain("--slippage has a dot before its decimals");
    expect(run("--help").stdout).toContain("--slippage THOUSANDTHS");
  });
});

describe("help and mistakes", () => {
  test.each(["price", "quote", "swap", "watch", "tokens", "status"])(
    "%s --help names its options",
    (name) => {
      expect(said(name, "--help")).toMatch(
        new RegExp(`^npm run braid -- ${name}[\\s\\S]*--url URL[\\s\\S]*--json`),
      );
      expect(said("--help")).toContain(`  ${name}`);
    },
  );

  test.each([
    [["quote", "1.5", "WETH"], 2, "AMOUNT SELL BUY are needed"],
    [
      ["quote", "1,5", "WETH", "USDC"],
      2,
      'an amount has a dot before its decimals, such as 1.5, and no comma: not "1,5"',
    ],
    [["quote", "1e3", "WETH", "USDC"], 2, '"1e3" is no amount'],
    [["price", ...PAIR, "--slippage", "0,5%"], 2, "--slippage has a dot before its decimals"],
    [["price", "1.0000001", "USDC", "WETH"], 2, "more than the 6 decimals"],
    [["price", "1", "NOPE", "USDC"], 2, "lists no token with the symbol NOPE"],
    [["price", ...PAIR, "--slippage", "lots"], 2, "--slippage is a percentage"],
    [["price", ...PAIR, "--slippage", "90"], 2, '--slippage is 0.1 to 50 percent, not "90"'],
    [["swap", ...PAIR, "--fee", "1"], 2, "--fee needs --fee-recipient"],
    [["price", "0", "WETH", "USDC"], 2, 'above 0, not "0"'],
    [["price", ...PAIR, "--colour"], 2, "--colour"],
    [["price", ...PAIR, "--chain", "x"], 2, "--chain is a chain id"],
    [["price", ...PAIR, "--url", "nowhere"], 2, "--url is an address"],
    [["price", ...PAIR, "--chain", "5"], 1, "5"],
    [["price", "1", "WETH", "WETH"], 1, "are the same"],
    [["price", ...PAIR, "--url", "http://127.0.0.1:1"], 1, "Is the service started"],
    [["price", ...PAIR, "--gas", "--no-gas"], 2, "--gas and --no-gas exclude each other"],
    [["dance"], 2, 'no command is called "dance"'],
    [["toString"], 2, 'no command is called "toString"'],
    [
      ["tokens", "--url", "localhost:8080"],
      2,
      '--url is an address such as http://127.0.0.1:8080, not "localhost:8080"',
    ],
    [["swap", ...PAIR, "--approval", "prayer"], 2, "--approval is one of"],
    [["swap", ...PAIR, "--rpc", "http://127.0.0.1:1"], 2, "No node answers"],
    [["swap", ...PAIR, "--rpc", "localhost:8545"], 2, "is an address such as"],
  ])("%j is refused in a sentence", (args, status, words) => {
    const done = terminal(args);
    expect(done.stderr).toContain(words);
    expect([done.status, done.stdout]).toEqual([status, ""]);
  });
});

describe("swapping", () => {
  test("the devnet's test account swaps by the node that the service names, and what was realised is told", () => {
    const done = terminal(["swap", "0.5", "ETH", "USDC", "--yes", "--account", "3"]);
    expect([done.status, done.stderr]).toEqual([0, expect.stringContaining("sending the swap")]);
    expect(done.stdout).toMatch(
      /^0\.5 ETH → [\d.]+ USDC, exactly as quoted\ngas \d+, block \d+, 0x[0-9a-f]{64}\n$/,
    );
  });

  test("BRAID_PRIVATE_KEY is the wallet where it is set", () => {
    const swap = [
      "swap",
      "10",
      "USDC",
      "ETH",
      "--rpc",
      devnet.rpcUrl,
      "--yes",
      "--json",
      "--approval",
      "approve",
    ];
    const done = terminal(swap, { BRAID_PRIVATE_KEY: TEST_KEY });
    expect(done.stderr).toContain(`wallet ${account.address.toLowerCase()}`);
    expect(JSON.parse(done.stdout)).toMatchObject({ allowedBy: "approval", amountIn: "10000000" });
    const [away, where] = [
      ["swap", ...PAIR, "--yes", "--rpc", "http://127.0.0.1:1/key"],
      { BRAID_PRIVATE_KEY: TEST_KEY },
    ];
    expect(terminal(away, where).stderr).toContain("No node answers at http://127.0.0.1:1: set --rpc");
    const bad = terminal(swap, { BRAID_PRIVATE_KEY: "0xabc" });
    expect([bad.status, bad.stdout]).toEqual([2, ""]);
    expect(bad.stderr).not.toContain("0xabc");
  });

  test("nothing is sent without a yes, nor under the caller's limit", () => {
    const swap = ["swap", "1", "ETH", "USDC", "--rpc", devnet.rpcUrl];
    const unasked = terminal(swap);
    expect([unasked.status, unasked.stderr]).toEqual([2, expect.stringContaining("--yes")]);
    const dear = terminal([...swap, "--yes", "--min-out", "1000000"]);
    expect([dear.status, dear.stderr]).toEqual([
      1,
      expect.stringMatching(/calldata minimum is \d+, not a minimum of at least \d+/),
    ]);
    expect(`${unasked.stderr}${dear.stderr}`).not.toContain("sent 0x");
  });
});
