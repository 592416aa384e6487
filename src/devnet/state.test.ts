import { expect, test } from "vitest";
import { ACCOUNTS, DEPLOYER, TRADER } from "./plan/addresses.ts";
import { thinned } from "./state.ts";

const block = (number: number) => ({ header: { number: `0x${number.toString(16)}` as const } });
const transaction = (block_number: number, from: `0x${string}`) => ({
  block_number,
  info: {
    from,
    traces: [
      { parent: null, children: [1] },
      { parent: 0, children: [] },
    ],
  },
});

test("a thin chain has the genesis, what users and the build did, and the recent past", () => {
  const chain = {
    best_block_number: 1000,
    blocks: Array.from({ length: 1001 }, (_, number) => block(number)),
    transactions: [
      transaction(2, DEPLOYER),
      transaction(10, TRADER),
      transaction(11, TRADER),
      transaction(11, ACCOUNTS[3]!),
      transaction(900, TRADER),
    ],
    accounts: { carried: "along" },
  };
  const thin = thinned(chain);
  const numbers = thin.blocks.map(({ header }) => Number(header.number));
  expect(numbers.slice(0, 4)).toEqual([0, 2, 11, 489]);
  expect(numbers.at(-1)).toBe(1000);
  expect(numbers).toHaveLength(3 + 512);
  expect(thin.transactions.map(({ block_number }) => block_number)).toEqual([2, 11, 11, 900]);
  expect(thin.transactions[0]?.info.traces).toEqual([{ parent: null, children: [] }]);
  expect(thin.accounts).toBe(chain.accounts);
});
