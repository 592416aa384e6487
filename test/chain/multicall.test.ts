import { decodeFunctionResult, encodeFunctionData, type Hex, multicall3Abi, parseAbi } from "viem";
import { expect, test } from "vitest";
import { multicall } from "./contracts/multicall.ts";

const abi = [
  ...multicall3Abi,
  ...parseAbi([
    "function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])",
  ]),
] as const;
const BLOCK = { number: 1, timestamp: 1 } as Parameters<typeof multicall>[1];
const TARGETS = [`0x${"ab".repeat(20)}`, `0x${"01".repeat(20)}`] as const;
const DATA: readonly Hex[] = ["0x", "0x01", `0x${"7f".repeat(32)}`, `0x${"00".repeat(33)}`, "0xfeedbeef"];

/** Answers with what it is asked, and its address behind it; refuses data that begin with zeros. */
const echo = (to: Hex, data: Hex) => ({
  ok: !data.startsWith("0x00"),
  data: `${data}${to.slice(2)}` as Hex,
  gas: 1,
  cold: 0,
});

test.each([0, 1, 7])("%i calls and their answers are encoded as by the contract's own interface", (count) => {
  const calls = Array.from({ length: count }, (_, k) => ({
    target: TARGETS[k % TARGETS.length]!,
    callData: DATA[k % DATA.length]!,
  }));
  const tried = multicall(
    encodeFunctionData({ abi, functionName: "tryAggregate", args: [false, calls] }),
    BLOCK,
    echo,
  );
  const third = calls.map((call) => ({ ...call, allowFailure: true }));
  const all = multicall(encodeFunctionData({ abi, functionName: "aggregate3", args: [third] }), BLOCK, echo);
  const wanted = calls.map(({ target, callData }) => {
    const { ok, data } = echo(target, callData);
    return { success: ok, returnData: data };
  });
  const told = (functionName: "aggregate3" | "tryAggregate", data: Hex) =>
    decodeFunctionResult({ abi, functionName, data });
  expect(told("tryAggregate", tried.data)).toEqual(wanted);
  expect(told("aggregate3", all.data)).toEqual(wanted);
});

test("a call that may not fail, and does, reverts all", () => {
  const call = { target: TARGETS[0], callData: "0x00" as const };
  const strict = encodeFunctionData({
    abi,
    functionName: "tryAggregate",
    args: [true, [call]],
  });
  const third = encodeFunctionData({
    abi,
    functionName: "aggregate3",
    args: [[{ ...call, allowFailure: false }]],
  });
  for (const data of [strict, third]) expect(multicall(data, BLOCK, echo).ok).toBe(false);
});
