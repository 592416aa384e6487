import { expect, test } from "vitest";
import { failureOf, failureOfHttp } from "./failure.ts";

/** Error objects as providers were seen to send them. */
const errors: readonly (readonly [kind: string, error: unknown])[] = [
  ["rate-limit", { code: -32005, message: "daily request count exceeded, request rate limited" }],
  ["rate-limit", { code: -32011, message: "no backends available for method" }],
  ["rate-limit", { code: 429, message: "Your app has exceeded its compute units per second capacity." }],
  ["rate-limit", { code: -32000, message: "Too Many Requests" }],
  ["rate-limit", "rate limit exceeded"],
  [
    "range",
    {
      code: -32005,
      message: "query returned more than 10000 results. Try with this block range [0x1, 0x2].",
    },
  ],
  [
    "range",
    {
      code: -32602,
      message: "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range",
    },
  ],
  ["range", { code: -32000, message: "eth_getLogs is limited to a 10 block range" }],
  ["range", { code: -32614, message: "eth_getLogs requests are limited to a 10,000 range" }],
  ["range", { code: -32000, message: "exceed maximum block range: 50000" }],
  ["range", { code: -32602, message: "range 1000000 exceeds limit of 10000" }],
  ["range", { code: -32020, message: "backend response too large" }],
  ["range", { code: -32008, message: "Response is too big" }],
  ["range", { code: -32000, message: "exceed max addresses or topics per search position" }],
  ["range", { code: -32000, message: "max initcode size exceeded: code size 60000 limit 49152" }],
  ["rate-limit", { code: -32000, message: "Rate limited to 25 requests per second" }],
  [
    "unsupported",
    {
      code: -32701,
      message:
        "Please specify an address in your request or, to remove restrictions, order a dedicated full node here: https://www.allnodes.com/eth/host",
    },
  ],
  ["missing", { code: -32000, message: "header not found" }],
  ["missing", { code: -32000, message: "header for hash not found" }],
  ["missing", { code: -32000, message: "hash is not currently canonical" }],
  ["missing", { code: -32000, message: "unknown block" }],
  ["missing", { code: -32602, message: "block range extends beyond current head block" }],
  ["missing", { code: -32602, message: "requested block range is in the future" }],
  [
    "missing",
    {
      code: -32000,
      message: "requested to block 9 after last accepted block 8: cannot query unfinalized data",
    },
  ],
  [
    "missing",
    {
      code: -32000,
      message: "One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found",
    },
  ],
  ["missing", { code: -32001, message: "Resource not found" }],
  ["missing", { code: -32000, message: "missing trie node 5f3b (path ) state 0x5f3b is not available" }],
  ["missing", { code: 4444, message: "pruned history unavailable" }],
  ["reverted", { code: 3, message: "execution reverted: min return", data: "0x08c379a0" }],
  ["reverted", { code: -32000, message: "execution reverted" }],
  ["reverted", { code: -32015, message: "VM execution error.", data: "Reverted 0x08c379a0" }],
  ["reverted", { code: -32000, message: "out of gas" }],
  ["reverted", { code: -32603, message: "EVM error InvalidOperandOOG" }],
  ["reverted", { code: -32000, message: "invalid opcode: INVALID" }],
  ["reverted", { code: -32000, message: "insufficient funds for gas * price + value: address 0x1" }],
  ["unsupported", { code: -32601, message: "the method eth_simulateV1 does not exist/is not available" }],
  ["unsupported", { code: -32602, message: "invalid argument 1: hex string expected" }],
  ["unsupported", { code: -32000, message: "method is not supported" }],
  ["rpc", { code: -32603, message: "internal error" }],
  ["rpc", null],
];

test.each(errors)("%s: %j", (kind, error) => {
  expect(failureOf(error).kind).toBe(kind);
});

test.each([
  ["0x08c379a0", "0x08c379a0"],
  ["Reverted 0x08C379A0", "0x08c379a0"],
  [{ data: "0xabcd" }, "0xabcd"],
  [{ data: { data: "0xabcd" } }, "0xabcd"],
  ["nothing", undefined],
  [undefined, undefined],
  [{ data: {} }, undefined],
])("revert data in %j", (data, expected) => {
  expect(failureOf({ code: 3, message: "execution reverted", data }).data).toBe(expected);
});

test("an error object that is nested 100,000 times is read like any other", () => {
  const data = JSON.parse(`${'{"data":'.repeat(100_000)}"0xabcd"${"}".repeat(100_000)}`) as unknown;
  const failure = failureOf({ code: 3, message: "execution reverted", data });
  expect([failure.kind, failure.data]).toEqual(["reverted", undefined]);
});

test("an HTTP answer that is no JSON-RPC is a rate limit or a fault of the node", () => {
  expect(failureOfHttp(429, "Too Many Requests", "7")).toMatchObject({
    kind: "rate-limit",
    retryAfterMs: 7000,
  });
  expect(failureOfHttp(403, "Rate limit exceeded", null)).toMatchObject({ kind: "rate-limit" });
  expect(failureOfHttp(413, "<html>Request Entity Too Large</html>", null)).toMatchObject({ kind: "range" });
  expect(failureOfHttp(502, "<html>Bad Gateway</html>", null)).toMatchObject({ kind: "transport" });
});
