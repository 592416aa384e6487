/** What a user should know that a design does not cover, in one line each; the folders' pages say more. */
export const limits: Readonly<Record<string, string>> = {
  algebra:
    "plugins before a swap, limit orders and the fee a direction of v1.9 are refused; v1's fee may wait for a swap",
  "balancer-v2":
    "a first amplification on the move, asset managers, managed, linear and bootstrapping pools are refused",
  "balancer-v3": "hooks other than the known stable surge, QuantAMM, 2-CLP and pausing are refused",
  "balancer-v3-buffer":
    "listed by hand; wrappers with fees are refused, and one whose price grows within a block may differ by that",
  converter: "converters of a fixed rate only; one that takes a fee or may not mint is refused",
  "curve-crypto": "crossed once in a route; twocrypto-ng from v2.1 on follows another curve and is refused",
  "curve-llamma":
    "a trade that the bands do not take whole is refused; so is a market that reckons otherwise",
  "curve-stable": "pools of Curve's registries are listed by hand: their logs name no address",
  dodo: "classical pools are sold base only; fees by trader, closed pools and oracle-priced private pools are refused",
  erc4626:
    "vaults with fees are refused; one whose assets grow within a block may differ from the quote by that",
  gyroscope: "no chain's file lists it: its factories were not verifiable here",
  "liquidity-book": "a factory's new parameters of version 2.0 reload late",
  maverick:
    "version 1 only; a pool is read again after every log, and crossed once in a route where its bins may follow the price",
  solidly: "default fees and pauses change without a log: asked again after an hour",
  "uniswap-v2":
    "tokens that keep a part of a transfer pay less than quoted; Camelot's stable pairs are refused",
  "uniswap-v3":
    "Slipstream pools whose fee follows the price are refused; at spacings below 7, prices beyond 490,000-fold",
  "uniswap-v4": "pools whose hook is called around swaps are refused unless the deployment lists the hook",
  woofi: "oracles other than the pool's own, and a second crossing of a token in one route, are refused",
  "wrapped-native": "wrappers that are not one for one are another design",
};
