import type { Hex } from "viem";
import {
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  parseAbi,
  toHex,
} from "viem/utils";
import modelArtifact from "../../../contracts/devnet/out/FluidLite.json" with { type: "json" };
import namerArtifact from "../../../contracts/devnet/out/FluidLiteCenter.json" with { type: "json" };
import { type Address, type Deployment, NATIVE } from "../../core/types.ts";
import { DAI, USDC, USDT, WETH } from "../../devnet/plan/addresses.ts";
import { reference, worth } from "../../devnet/plan/market.ts";
import { type DevnetProtocol, planOfModels } from "../../devnet/plan/plan.ts";
import { bigNumber, type Field, packed } from "../shared/packed-word.ts";
import { PRICE_UNIT } from "./prices.ts";
import { slotOf } from "./reads.ts";
import { FIELDS, ID_SHIFT, SHIFT } from "./state.ts";

const CONTRACT: Address = "0x00000000000000000000000000000000f1d11e00";
/** The account that would have created the contract that names centre prices, and the number of that creation. */
const NAMERS: Address = "0x00000000000000000000000000000000f1d11e01";
const NAMER_NUMBER = 1n;
const NAMER = getContractAddress({ from: NAMERS, nonce: NAMER_NUMBER }).toLowerCase() as Address;
const SALT: Hex = `0x${"0".repeat(64)}`;
const UNIT = 10n ** 9n;
const VARIABLES = 2n;

const abi = parseAbi([
  "struct DexKey { address token0; address token1; bytes32 salt; }",
  "function open(DexKey key, uint256 dexVariables, uint256 centerPriceShift)",
  "function setCentre(address center)",
  "function set(uint256 price)",
  "function unwrap(address wrapper)",
  "function readFromStorage(bytes32 slot) view returns (uint256)",
]);

type Design = {
  readonly tokens: readonly [Address, Address];
  readonly decimals: readonly [bigint, bigint];
  /** Smallest units of token 0 that the pool holds. */
  readonly held: bigint;
  /** Parts per million, and hundredths of a per cent of the centre price to either side. */
  readonly fee: bigint;
  readonly range: bigint;
  readonly status: bigint;
  readonly namer: bigint;
};

/** Two dollars whose centre price may follow the price, the native coin in a wide range, and a price that is named. */
const designs: readonly Design[] = [
  {
    tokens: [USDC, USDT],
    decimals: [6n, 6n],
    held: reference(USDC).amount / 10n,
    fee: 50n,
    range: 50n,
    status: 1n,
    namer: 0n,
  },
  {
    tokens: [USDC, NATIVE],
    decimals: [6n, 18n],
    held: reference(USDC).amount / 30n,
    fee: 500n,
    range: 2_000n,
    status: 0n,
    namer: 0n,
  },
  {
    tokens: [DAI, USDC],
    decimals: [18n, 6n],
    held: reference(DAI).amount / 20n,
    fee: 100n,
    range: 100n,
    status: 0n,
    namer: NAMER_NUMBER,
  },
];

/** The pool's token on the market: the wrapper in the place of the native coin. */
const listed = (token: Address): Address => (token === NATIVE ? WETH : token);

/** What the pool holds of each token, in smallest units and in units of 1e-9 of a token. */
function amountsOf({ tokens: [token0, token1], decimals, held }: Design) {
  const amounts = [held, worth(held, listed(token0), listed(token1))] as const;
  const inner = (k: 0 | 1) => (amounts[k] * UNIT) / 10n ** decimals[k];
  return { amounts, supplies: [inner(0), inner(1)] as const };
}

function centerOf(design: Design): bigint {
  const { supplies } = amountsOf(design);
  return (supplies[1] * PRICE_UNIT) / supplies[0];
}

function variablesOf(design: Design): bigint {
  const { supplies } = amountsOf(design);
  const { range, decimals } = design;
  const fields: readonly (readonly [Field, bigint])[] = [
    [FIELDS.fee, design.fee],
    [FIELDS.revenueCut, 10n],
    [FIELDS.status, design.status],
    [FIELDS.center, bigNumber(centerOf(design), FIELDS.center)],
    [FIELDS.namer, design.namer],
    [FIELDS.upper, range],
    [FIELDS.lower, range],
    [FIELDS.upperThreshold, 20n],
    [FIELDS.lowerThreshold, 20n],
    [FIELDS.decimals0, decimals[0]],
    [FIELDS.decimals1, decimals[1]],
    [FIELDS.supply0, supplies[0]],
    [FIELDS.supply1, supplies[1]],
  ];
  return packed(fields);
}

/** The centre price may move by 1 % to either side, and reaches an end of its range in an hour. */
function shiftOf(design: Design): bigint {
  const center = centerOf(design);
  return packed([
    [SHIFT.seconds, 3_600n],
    [SHIFT.most, bigNumber((center * 101n) / 100n, SHIFT.most)],
    [SHIFT.least, bigNumber((center * 99n) / 100n, SHIFT.least)],
  ]);
}

const keyOf = ({ tokens: [token0, token1] }: Design) => ({ token0, token1, salt: SALT });

function idOf({ tokens }: Design): bigint {
  const types = [{ type: "address" }, { type: "address" }, { type: "bytes32" }] as const;
  return BigInt(keccak256(encodeAbiParameters(types, [...tokens, SALT]))) >> ID_SHIFT;
}

const deployment: Deployment = {
  id: "fluid-lite",
  protocol: "fluid-lite",
  name: "Fluid_Lite",
  factory: CONTRACT,
  fromBlock: 0,
  trusted: true,
  gasPermille: 1000,
  facts: { deployer: NAMERS },
  source: "a model: contracts/devnet/fluid/FluidLite.sol",
};

const word = (value: bigint): Hex => toHex(value, { size: 32 });
const call = (to: Address, data: Hex) => ({ to, data, gas: 1_000_000 });

/** Three pools in one contract. */
export const devnet: DevnetProtocol = {
  deployments: [deployment],
  packages: [],
  plan: async () =>
    planOfModels({
      helpers: [
        { address: CONTRACT, runtimeCode: modelArtifact.runtimeCode as Hex },
        { address: NAMER, runtimeCode: namerArtifact.runtimeCode as Hex },
      ],
      grants: designs.flatMap((design) =>
        amountsOf(design).amounts.map((amount, k) => ({
          holder: CONTRACT,
          token: listed(design.tokens[k]!),
          amount,
        })),
      ),
      transactions: [
        call(CONTRACT, encodeFunctionData({ abi, functionName: "setCentre", args: [NAMER] })),
        call(CONTRACT, encodeFunctionData({ abi, functionName: "unwrap", args: [WETH] })),
        ...designs
          .filter(({ namer }) => namer > 0n)
          .map((design) =>
            call(NAMER, encodeFunctionData({ abi, functionName: "set", args: [centerOf(design)] })),
          ),
        ...designs.map((design) => {
          const args = [keyOf(design), variablesOf(design), shiftOf(design)] as const;
          return call(CONTRACT, encodeFunctionData({ abi, functionName: "open", args }));
        }),
      ],
      checks: designs.map((design) => {
        const slot = word(slotOf(idOf(design), VARIABLES));
        return {
          what: `the first word of Fluid's lite pool of ${design.tokens.join(" and ")}`,
          call: {
            to: CONTRACT,
            data: encodeFunctionData({ abi, functionName: "readFromStorage", args: [slot] }),
          },
          startsWith: word(variablesOf(design)),
        };
      }),
    }),
};
