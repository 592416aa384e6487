import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  hashTypedData,
  keccak256,
  toHex,
} from "viem/utils";
import { expect, test } from "vitest";
import type { Hex } from "../types.ts";
import { stepKinds } from "./kinds.ts";
import { packRoute } from "./layout.ts";
import {
  attachPermit,
  attachPermit2,
  PERMIT2_ADDRESS,
  permit2TypedData,
  type RfqOrder,
  rfqExtra,
  rfqTypedData,
} from "./permits.ts";
import { ROUTER_ADDRESS } from "./router-artifact.ts";
import { decodeSwap, swapAbi } from "./swap.ts";

const A = "0x000000000000000000000000000000000000000a";
const B = "0x000000000000000000000000000000000000000b";
const SIGNATURE: Hex = `0x${"ab".repeat(65)}`;

const type = (text: string) => keccak256(toHex(text));
const encode = (types: readonly string[], values: readonly unknown[]) =>
  keccak256(
    encodeAbiParameters(
      types.map((name) => ({ type: name })),
      [...values],
    ),
  );

/** The digest as Permit2's source computes it. */
function digest(struct: Hex): Hex {
  const domain = encode(
    ["bytes32", "bytes32", "uint256", "address"],
    [
      type("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
      type("Permit2"),
      31337n,
      PERMIT2_ADDRESS,
    ],
  );
  return keccak256(concatHex(["0x1901", domain, struct]));
}

const permitted = (token: Hex, amount: bigint) =>
  encode(
    ["bytes32", "address", "uint256"],
    [type("TokenPermissions(address token,uint256 amount)"), token, amount],
  );

test("a payer signs what Permit2 hashes", () => {
  const request = { chainId: 31337, token: A, amount: 5n, nonce: 7n, deadline: 9 } as const;
  const kind =
    "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)";
  const struct = encode(
    ["bytes32", "bytes32", "address", "uint256", "uint256"],
    [type(kind), permitted(A, 5n), ROUTER_ADDRESS, 7n, 9n],
  );
  expect(hashTypedData(permit2TypedData(request))).toBe(digest(struct));
});

const order: RfqOrder = {
  chainId: 31337,
  takerToken: A,
  takerAmount: 2n,
  makerToken: B,
  makerAmount: 3n,
  taker: undefined,
  nonce: 4n,
  expiry: 5,
};

test("a maker signs what the router and Permit2 hash together", () => {
  const kind =
    "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,RfqOrder witness)RfqOrder(address takerToken,uint256 takerAmount,address taker)TokenPermissions(address token,uint256 amount)";
  for (const taker of [undefined, B] as const) {
    const witness = encode(
      ["bytes32", "address", "uint256", "address"],
      [
        type("RfqOrder(address takerToken,uint256 takerAmount,address taker)"),
        A,
        2n,
        taker ?? "0x0000000000000000000000000000000000000000",
      ],
    );
    const struct = encode(
      ["bytes32", "bytes32", "address", "uint256", "uint256", "bytes32"],
      [type(kind), permitted(B, 3n), ROUTER_ADDRESS, 4n, 5n, witness],
    );
    expect(hashTypedData(rfqTypedData({ ...order, taker }))).toBe(digest(struct));
  }
});

test("an order's bytes lie where the router reads them", () => {
  expect(rfqExtra(order, SIGNATURE)).toBe(
    [
      "0x00000000000000000000000000000002",
      "00000000000000000000000000000003",
      "4".padStart(64, "0"),
      "0000000005",
      "ab".repeat(65),
    ].join(""),
  );
});

const swap = encodeFunctionData({
  abi: swapAbi,
  args: [
    10n,
    9n,
    B,
    8n << 192n,
    packRoute({
      tokens: [A, B],
      steps: [{ kind: stepKinds.v3, flags: 4, src: 0, dst: 1, share: 0, target: A, extra: "0x" }],
    }),
  ],
});

test("a signature goes to the head of the route, and nothing else changes", () => {
  const before = decodeSwap(swap);
  const request = { chainId: 1, token: A, amount: 10n, nonce: 7n, deadline: 9 } as const;
  const byPermit2 = decodeSwap(attachPermit2(swap, request, SIGNATURE));
  const extra = `0x${"7".padStart(64, "0")}0000000009${"ab".repeat(65)}`;
  const [first, ...rest] = byPermit2.route.steps;
  expect(first).toMatchObject({ kind: stepKinds.permit2, flags: 0, extra });
  expect({ ...byPermit2, route: { ...byPermit2.route, steps: rest } }).toEqual(before);

  for (const [kind, flags] of [
    ["eip2612", 0],
    ["dai", 1],
  ] as const) {
    const permit = { kind, word: 7n, deadline: 9 };
    const [step] = decodeSwap(attachPermit(swap, permit, SIGNATURE)).route.steps;
    expect(step).toMatchObject({ kind: stepKinds.permit, flags, extra });
  }
});

test("a signature of another length is refused", () => {
  expect(() => attachPermit(swap, { kind: "eip2612", word: 1n, deadline: 1 }, "0xabcd")).toThrow(/2 bytes/);
});
