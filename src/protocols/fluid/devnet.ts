import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import poolArtifact from "../../../contracts/devnet/out/FluidPool.json" with { type: "json" };
import resolverArtifact from "../../../contracts/devnet/out/FluidResolver.json" with { type: "json" };
import { type Address, type Deployment, NATIVE } from "../../core/types.ts";
import { DAI, USDC, USDT, WETH } from "../../devnet/plan/addresses.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, planOfModels } from "../../devnet/plan/plan.ts";

const RESOLVER: Address = "0x00000000000000000000000000000000f1d00000";
const PRICE_UNIT = 10n ** 27n;
/** A limit that no swap meets. */
const UNLIMITED = 2n ** 110n;

const abi = parseAbi([
  "struct Half { uint128 real0; uint128 real1; uint128 imaginary0; uint128 imaginary1; }",
  "struct Limit { uint112 available; uint112 expandsTo; uint32 duration; }",
  "struct Terms { uint64 fee; uint64 revenueCut; uint128 centerPrice; }",
  "function open(address[2] tokens, address wrapped, Terms terms, Half[2] halves, Limit[4] limits)",
  "function token0() view returns (address)",
]);

type Design = {
  readonly address: Address;
  readonly tokens: readonly [Address, Address];
  readonly units: readonly [bigint, bigint];
  /** Smallest units of token 0 that each half holds. */
  readonly held: readonly [bigint, bigint];
  /** Imaginary reserves as a multiple of the real ones. */
  readonly spread: bigint;
  readonly fee: bigint;
};

/** A pool of the native coin with both halves, one of two dollars with both, and one with deposits only. */
const designs: readonly Design[] = [
  {
    address: "0x00000000000000000000000000000000f1d00001",
    tokens: [USDC, NATIVE],
    units: [10n ** 6n, 10n ** 18n],
    held: [reference(USDC).amount / 20n, reference(USDC).amount / 30n],
    spread: 4n,
    fee: 500n,
  },
  {
    address: "0x00000000000000000000000000000000f1d00002",
    tokens: [USDC, USDT],
    units: [10n ** 6n, 10n ** 6n],
    held: [reference(USDC).amount / 40n, reference(USDC).amount / 20n],
    spread: 200n,
    fee: 50n,
  },
  {
    address: "0x00000000000000000000000000000000f1d00003",
    tokens: [DAI, WETH],
    units: [10n ** 18n, 10n ** 18n],
    held: [reference(DAI).amount / 20n, 0n],
    spread: 4n,
    fee: 500n,
  },
];

/** The pool's token on the market: the wrapper in the place of the native coin. */
const listed = (token: Address): Address => (token === NATIVE ? WETH : token);

/** An amount of token 0 in token 1, smallest units. */
const across = ({ tokens: [sold, bought] }: Design, amount: bigint): bigint =>
  worth(amount, listed(sold), listed(bought));

/** Reserves of a half in units of 1e-12 of a token. */
function halfOf(design: Design, held: bigint) {
  const inner = (amount: bigint, unit: bigint) => (amount * 10n ** 12n) / unit;
  const [real0, real1] = [inner(held, design.units[0]), inner(across(design, held), design.units[1])];
  return { real0, real1, imaginary0: real0 * design.spread, imaginary1: real1 * design.spread };
}

function openPool(design: Design): Hex {
  const [first, second] = design.held.map((held) => halfOf(design, held));
  const limit = { available: UNLIMITED, expandsTo: UNLIMITED, duration: 0 };
  const centerPrice = (first!.real1 * PRICE_UNIT) / first!.real0;
  return encodeFunctionData({
    abi,
    functionName: "open",
    args: [
      design.tokens,
      WETH,
      { fee: design.fee, revenueCut: 10n, centerPrice },
      [first!, second!],
      [limit, limit, limit, limit],
    ],
  });
}

/** The pool holds what both halves do, of the native coin its wrapper until it is opened. */
function grantsOf(design: Design) {
  const held = design.held[0] + design.held[1];
  const [token0, token1] = design.tokens.map(listed) as [Address, Address];
  return [
    { holder: design.address, token: token0, amount: held },
    { holder: design.address, token: token1, amount: across(design, held) },
  ];
}

const deployment: Deployment = {
  id: "fluid",
  protocol: "fluid",
  name: "Fluid",
  factory: RESOLVER,
  fromBlock: undefined,
  trusted: true,
  gasPermille: 700,
  facts: {
    resolver: RESOLVER,
    pools: designs.map(({ address, tokens }) => [address, ...tokens].join(":")).join(","),
  },
  source: "a model: contracts/devnet/fluid/FluidPool.sol and FluidResolver.sol",
};

/** Three pools, one of them of the native coin. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        { address: RESOLVER, runtimeCode: resolverArtifact.runtimeCode as Hex },
        ...designs.map(({ address }) => ({ address, runtimeCode: poolArtifact.runtimeCode as Hex })),
      ],
      grants: designs.flatMap(grantsOf),
      transactions: designs.map((design) => ({
        to: design.address,
        data: openPool(design),
        gas: 2_000_000,
      })),
      checks: designs.map(({ address, tokens }) => ({
        what: `token 0 of the Fluid pool ${address}`,
        call: { to: address, data: encodeFunctionData({ abi, functionName: "token0" }) },
        startsWith: toHex(BigInt(tokens[0]), { size: 32 }),
      })),
    }),
};
