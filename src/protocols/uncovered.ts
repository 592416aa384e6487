/** A known design that is not covered. */
export type Uncovered = {
  readonly design: string;
  /** Its names in recorded swaps and lists of sources; empty if none are recorded. */
  readonly names: readonly string[];
  readonly why: string;
};

/**
 * Designs that are refused by name instead of priced inexactly; printed in docs/supported.md and by `npm run
 * vectors`.
 */
export const uncovered: readonly Uncovered[] = [
  {
    design: "Platypus",
    names: ["platypus"],
    why: "its source was not verified; the three recorded swaps sell 10 to 10,000 units, too few to tell one rounding from another",
  },
  {
    design: "SyncSwap, all kinds",
    names: ["syncswap-classic", "syncswap-stable", "syncswap-v2-stable", "syncswap-v2-aqua"],
    why: "pools are called through a vault that keeps the tokens; the router has no step for it",
  },
  {
    design: "Nomiswap stable",
    names: ["nomiswap-stable"],
    why: "its source was not verified; the router has no step that asks for its fee",
  },
  {
    design: "Bancor v3",
    names: ["bancor-v3"],
    why: "its source was not verified; the router has no step for it",
  },
  {
    design: "GMX v1 vault",
    names: ["gmx-v1-vault"],
    why: "its source was not verified; its prices are an oracle's, not a curve's",
  },
  {
    design: "EulerSwap",
    names: [],
    why: "what it fills depends on lending vaults and on whether its owner's account stays solvent; the router has no step that asks it for its quote",
  },
  {
    design: "CoW AMM",
    names: ["cow-amm-50-50"],
    why: "trades through its own batch settlement only",
  },
  {
    design: "wstETH",
    names: ["lido-wsteth"],
    why: "stETH transfers deliver up to two units less than asked, so no amount of it is exact",
  },
];

/** Why swaps of a protocol name are refused; undefined if the name is not listed. */
export function whyNotCovered(name: string): string | undefined {
  const found = uncovered.find(({ names }) => names.includes(name));
  return found && `${found.design} is not covered: ${found.why}`;
}
