/**
 * Kinds of the router's steps: the first byte of a step. Public on the wire: a number is never reused. The bytes
 * after a step's fixed part (`StepCode.extra`) are big-endian and depend on the kind:
 *
 * | kind          | target      | zeroForOne set means     | extra                                               |
 * |---------------|-------------|--------------------------|-----------------------------------------------------|
 * | v2            | pair        | token0 is sold           | fee u24, parts per million of the input             |
 * | solidly       | pair        | token0 is sold           | none: the pair prices itself by getAmountOut        |
 * | v3            | pool        | token0 is sold           | none                                                |
 * | v4            | PoolManager | currency0 is sold        | fee u24, tickSpacing i24, hooks 20 B                |
 * | balancerV2    | Vault       | a pool's share is sold   | pool id 32 B                                        |
 * | curve         | pool        | (unused)                 | i u8, j u8, variant u8 (`curveVariants`)            |
 * | wrap          | wrapper     | native is sold (wraps)   | none                                                |
 * | balancerV3    | Vault       | (unused)                 | pool 20 B; for a buffer its wrapped token, which is |
 * |               |             |                          | one of the step's two                               |
 * | dodoV2        | pool        | base is sold             | none                                                |
 * | dodoV1        | pool        | must be set: base only   | none                                                |
 * | erc4626       | vault       | assets are sold          | variant u8 (`wrapperVariants`)                      |
 * | liquidityBook | pair        | token X is sold          | none                                                |
 * | wooFi         | WooPPV2     | (unused)                 | none                                                |
 * | maverickV1    | pool        | token A is sold          | none                                                |
 * | rfq           | maker       | the order names a taker  | taker amount u128, maker amount u128, nonce u256,   |
 * |               |             |                          | expiry u40, signature 65 B                          |
 * | v2Fee         | pair        | token0 is sold           | as v2; for tokens that charge a fee on transfers    |
 * | airSwap       | SwapERC20   | (unused)                 | signer 20 B, taker amount u128, maker amount u128,  |
 * |               |             |                          | nonce u256, expiry u40, signature 65 B              |
 * | infinity      | manager     | currency0 (X) is sold    | hooks 20 B, fee u24, pool u8 (0 ticks, 1 bins),     |
 * |               |             |                          | parameters u40                                      |
 * | ekubo         | Core        | token0 is sold           | the pool key's config: extension 20 B, fee u64,     |
 * |               |             |                          | type u32                                            |
 * | permit        | (unused)    | DAI's form, not EIP-2612 | value (DAI: nonce) u256, deadline u40, r, s, v      |
 * | permit2       | (unused)    | (unused)                 | nonce u256, deadline u40, signature 65 B            |
 * | fluid         | pool        | token 0 is sold          | none                                                |
 * | fluidLite     | singleton   | token 0 is sold          | the pool key's salt 32 B                            |
 * | converter     | converter   | token 0 is sold          | functions u8 (`converterFunctions`, `psmFunctions`) |
 * | maverickV2    | pool        | token A is sold          | the last tick that the swap may use, i32            |
 * | iziswap       | pool        | tokenX is sold           | the last point that the swap may use, i24           |
 *
 * Intake: `callback` for v3, v4, balancerV3, maverickV1, rfq, infinity, ekubo, iziswap; `transfer` for v2, v2Fee, solidly,
 * dodoV2, liquidityBook, wooFi, maverickV2; `approval` for balancerV2, curve, dodoV1, erc4626, fluid, fluidLite, converter,
 * airSwap; `held` for wrap, for v4, infinity, ekubo, curve, fluid and fluidLite if the native coin is sold, and for
 * erc4626 if shares are sold. Curve, wrap, dodoV1 and the second wrapper variant can pay the router only (`paysAnyone`
 * false). permit and permit2 cross no pool; they are the first step of a route.
 */
export const stepKinds = {
  v2: 1,
  solidly: 2,
  v3: 3,
  v4: 4,
  balancerV2: 5,
  curve: 6,
  wrap: 7,
  balancerV3: 8,
  dodoV2: 9,
  dodoV1: 10,
  erc4626: 11,
  liquidityBook: 12,
  wooFi: 13,
  maverickV1: 14,
  rfq: 15,
  v2Fee: 16,
  permit: 17,
  permit2: 18,
  airSwap: 19,
  infinity: 20,
  ekubo: 21,
  fluid: 22,
  fluidLite: 23,
  converter: 24,
  maverickV2: 25,
  iziswap: 26,
} as const;

/**
 * Name of a step's kind. Tables by kind are records over it, so a new kind does not compile before every table has a
 * row for it.
 */
export type StepKind = keyof typeof stepKinds;

/**
 * Converts a table by name to a table by kind number, as in route bytes; the row of an unknown number is `undefined`.
 */
export function byNumber<T>(rows: Readonly<Record<StepKind, T>>): Readonly<Record<number, T>> {
  const names = Object.keys(stepKinds) as StepKind[];
  return Object.fromEntries(names.map((name) => [stepKinds[name], rows[name]]));
}

/** Length of the extra bytes by kind number, which determines where a step ends. */
export const extraBytes: Readonly<Record<number, number>> = byNumber({
  v2: 3,
  solidly: 0,
  v3: 0,
  v4: 26,
  balancerV2: 32,
  curve: 3,
  wrap: 0,
  balancerV3: 20,
  dodoV2: 0,
  dodoV1: 0,
  erc4626: 1,
  liquidityBook: 0,
  wooFi: 0,
  maverickV1: 0,
  rfq: 134,
  v2Fee: 3,
  permit: 102,
  permit2: 102,
  airSwap: 154,
  infinity: 29,
  ekubo: 32,
  fluid: 0,
  fluidLite: 32,
  converter: 1,
  maverickV2: 4,
  iziswap: 3,
});

/** Bits of a curve step's third extra byte. */
export const curveVariants = {
  /** The coin indexes are uint256 (crypto pools); else int128 (stable pools). */
  uint256Indexes: 1,
  /** exchange_underlying instead of exchange. */
  underlying: 2,
  /** swap(uint8 i, uint8 j, uint256 dx, uint256 minDy, uint256 deadline) instead of exchange: Saddle and its forks. */
  saddle: 4,
} as const;

/** The extra byte of an erc4626 step. */
export const wrapperVariants = {
  /** deposit and redeem */
  erc4626: 0,
  /** wrap(uint256) and unwrap(uint256), as in wstETH; the output is measured by the router's balance. */
  wrapUnwrap: 1,
} as const;

/**
 * A converter step's extra byte: which pair of functions (address recipient, uint256 amount) converts in either
 * direction. For peg stability modules see `psmFunctions`.
 */
export const converterFunctions = {
  /** daiToUsds, usdsToDai */
  daiUsds: 0,
  /** mkrToSky, skyToMkr */
  mkrSky: 1,
  /** swapExactIn of Spark's module of three coins, whichever of them are sold and bought */
  psm3: 2,
} as const;

/**
 * The extra byte of a converter step whose functions are sellGem and buyGem. `buyGem` is asked for units of token 0, so the
 * router has to know the rate.
 *
 * @param digits the rate's digits: 10^digits units of token 1 are paid for a unit of token 0; 0 … 18
 */
export const psmFunctions = (digits: number): number => 16 + digits;
