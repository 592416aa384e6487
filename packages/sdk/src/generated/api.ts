/** Printed by `npm run docs`; a test compares it with its sources. Do not edit. */

import type { Hex } from "../hex.ts";

/** The best offer for a pair, without transaction data */
export type PriceParameters = {
  /** Token sold; the native coin is 0xeee… */
  readonly fromTokenAddress: string;
  /** Token bought; the native coin is 0xeee… */
  readonly toTokenAddress: string;
  /** Amount sold, in smallest units; with side=BUY the amount that the recipient gets */
  readonly amount: bigint;
  /** SELL: amount is sold. BUY: amount is bought for as little as possible */
  readonly side?: "SELL" | "BUY" | undefined;
  /** Gas price in WEI; default: the high level of gasprices */
  readonly gasPrice?: bigint | undefined;
  /** Wallet that the fees go to */
  readonly feeRecipient?: string | undefined;
  /** Fee on the token bought; 10 = 1 % */
  readonly buyTokenPercentageFee?: number | undefined;
  /** Fee on the token sold; 10 = 1 % */
  readonly sellTokenPercentageFee?: number | undefined;
  /** Only makers' orders */
  readonly rfqOnly?: boolean | undefined;
  /** Sources not to use, by id or name, from /v1/sources */
  readonly excludeAggregator?: readonly string[] | undefined;
  /** The only sources to use; not together with excludeAggregator */
  readonly includeAggregator?: readonly string[] | undefined;
  /** Choose the route net of gas */
  readonly withGas?: boolean | undefined;
  /** Refuse an offer with a higher price impact; 10 = 1 % */
  readonly max_price_impact?: number | undefined;
  /** Answer from no older block; waits up to 1 s */
  readonly min_block?: number | undefined;
  /** Slippage allowed; 10 = 1 %, fractions allowed; beyond it the transaction reverts */
  readonly slippage?: number | undefined;
  /** Chain id, from /v1/platforms */
  readonly chainID: number;
};

/** The best offer for a pair, without transaction data */
export type PriceAnswer = {
  /** What the recipient gets, net of every fee */
  readonly amount_out_total: bigint;
  /** Gas units; a limit that the transaction keeps */
  readonly estimate_gas_total: bigint;
  /** Token sold */
  readonly token_in: Hex;
  /** Token bought */
  readonly token_out: Hex;
  /** WEI */
  readonly gas_price: bigint;
  /** Fee in the token bought */
  readonly fee_recipient_amount: bigint;
  /** DEXs used, by percent; percents sum to 100 */
  readonly routes: readonly {
    readonly type: string;
    readonly protocol_name: string;
    readonly percent: number;
    /** Ids of the pools crossed */
    readonly pools: readonly string[];
  }[];
  /** Amount sold, the sell fee included; with side=BUY the least that buys amount */
  readonly amount_in: bigint;
  /** SELL: amount was sold. BUY: amount was bought */
  readonly side: string;
  /** The least that the recipient accepts; below it the transaction reverts */
  readonly min_amount_out: bigint;
  /** Fee in the token sold */
  readonly sell_fee_amount: bigint;
  /** How much worse than for a small amount */
  readonly price_impact_bps?: number | undefined;
  /** The block whose state was priced */
  readonly block_number: number;
  readonly block_hash: Hex;
  /** The whole route; `routes` is its summary */
  readonly route_graph: {
    readonly tokens: readonly {
      readonly address: Hex;
      readonly symbol: string;
      readonly decimals: number;
      /** A public list names it */
      readonly is_listed: boolean;
    }[];
    /** Pool crossings in execution order */
    readonly steps: readonly {
      readonly pool: string;
      readonly protocol: string;
      readonly deployment: string;
      readonly token_in: Hex;
      readonly token_out: Hex;
      readonly amount_in: bigint;
      readonly amount_out: bigint;
      /** Share of what is left of token_in, in 2^-32 */
      readonly share_q32: number;
    }[];
  };
  /** How close the route is to the best that any arrangement of the same pools could pay */
  readonly optimality: {
    /** No route of max_legs for amount_in over the pools that it may use pays the recipient more; null without a proof */
    readonly upper_bound: bigint | null;
    /** How far amount_out_total lies below upper_bound, in basis points, gas not counted; null where that says nothing (reason) */
    readonly gap_bps: number | null;
    /** No route pays the recipient more net of the gas of the pools that it crosses, in the token bought; may be below 0 */
    readonly upper_bound_net: bigint | null;
    /** How far the amount net of gas lies below upper_bound_net, in basis points */
    readonly gap_net_bps: number | null;
    /** The same distance in legs of 60,000 gas; null where gas is not counted, or where that says nothing (reason) */
    readonly gap_legs: number | null;
    /** The gas price that nets are net of, WEI; null where gas is not counted */
    readonly gas_price: bigint | null;
    /** Pool crossings of the routes that the bounds are about; 0 = any number */
    readonly max_legs: number | null;
    /** What cycles of pools would pay after gas at most, in WEI of the native coin; null where it is not known */
    readonly market_arbitrage: bigint | null;
    /** side=BUY: no route that buys amount sells less, the sell fee included; null without a proof */
    readonly lower_bound?: bigint | null | undefined;
    /** Why there is no bound, or no gap in basis points; null where both are said */
    readonly reason: string | null;
  };
  /** How the search for the route ended */
  readonly search: {
    /** false: the time ran out, and this is the best route found until then */
    readonly complete: boolean;
    /** How long the search took, in milliseconds */
    readonly ms: number;
    /** From the request until its search began, in milliseconds: in a queue, or for min_block */
    readonly waited_ms: number;
  };
  /** How much of the chain is known, while its pools are still being discovered */
  readonly coverage?: {
    readonly tokens: number;
    /** Found, in the market or not */
    readonly pools: number;
    readonly phase: string;
    readonly complete: boolean;
  } | undefined;
  readonly warnings: readonly string[];
  /** What takerAddress lacks to pay, in smallest units; {} where it lacks nothing, null where that is not known */
  readonly issues: {
    readonly balance?: {
      readonly needed: bigint;
      readonly actual: bigint;
      readonly token: Hex;
    } | undefined;
    readonly allowance?: {
      readonly spender: Hex;
      readonly needed: bigint;
      readonly actual: bigint;
    } | undefined;
  } | null;
  /** US dollars, by the chain's own pools of dollar tokens; null where too little depth prices it */
  readonly amount_in_usd: string | null;
  /** US dollars; null where too little depth prices it */
  readonly amount_out_usd: string | null;
  /** US dollars of the worst case: what arrives at the least; null where too little depth prices it */
  readonly min_amount_out_usd: string | null;
  /** US dollars of the gas at gas_price; null where too little depth prices it */
  readonly gas_usd: string | null;
  /** amount_out_total less what the gas costs in the token bought; below 0 where the gas costs more */
  readonly net_out: bigint | null;
  /** Thousandths, as slippage: 10 = 1 % */
  readonly price_impact: number | null;
  /** The slippage to allow for this pair and size; 10 = 1 % */
  readonly suggested_slippage: number;
  /** warnings, structured; the gravest first */
  readonly notices: readonly {
    readonly code: string;
    readonly severity: string;
    /** For people */
    readonly message: string;
    readonly details: Readonly<Record<string, string | number>>;
  }[];
  /** sealed: the state of a mined block was priced; preconfirmed: that of the block being built on block_number, as the sequencer announced it so far, which may still change */
  readonly state: string;
  /** Unix time after which a transaction of this offer reverts */
  readonly valid_until: number;
  /** 128 random bits that name this answer in the log; /v1/{chainID}/quotes/{id} tells how it came about */
  readonly quote_id: string;
};

/** The best offer for a pair, with the transaction that takes it */
export type QuoteParameters = {
  /** Token sold; the native coin is 0xeee… */
  readonly fromTokenAddress: string;
  /** Token bought; the native coin is 0xeee… */
  readonly toTokenAddress: string;
  /** Amount sold, in smallest units; with side=BUY the amount that the recipient gets */
  readonly amount: bigint;
  /** SELL: amount is sold. BUY: amount is bought for as little as possible */
  readonly side?: "SELL" | "BUY" | undefined;
  /** Gas price in WEI; default: the high level of gasprices */
  readonly gasPrice?: bigint | undefined;
  /** Wallet that the fees go to */
  readonly feeRecipient?: string | undefined;
  /** Fee on the token bought; 10 = 1 % */
  readonly buyTokenPercentageFee?: number | undefined;
  /** Fee on the token sold; 10 = 1 % */
  readonly sellTokenPercentageFee?: number | undefined;
  /** Only makers' orders */
  readonly rfqOnly?: boolean | undefined;
  /** Sources not to use, by id or name, from /v1/sources */
  readonly excludeAggregator?: readonly string[] | undefined;
  /** The only sources to use; not together with excludeAggregator */
  readonly includeAggregator?: readonly string[] | undefined;
  /** Choose the route net of gas */
  readonly withGas?: boolean | undefined;
  /** Refuse an offer with a higher price impact; 10 = 1 % */
  readonly max_price_impact?: number | undefined;
  /** Answer from no older block; waits up to 1 s */
  readonly min_block?: number | undefined;
  /** Slippage allowed; 10 = 1 %, fractions allowed; beyond it the transaction reverts */
  readonly slippage: number;
  /** Wallet that will send the transaction; with it the gas is measured */
  readonly takerAddress?: string | undefined;
  /** Wallet that gets the tokens bought; default: the sender */
  readonly recipientAddress?: string | undefined;
  /** false = refuse a transaction that reverts for takerAddress */
  readonly skipValidation?: boolean | undefined;
  /** Unix time after which it reverts; default: head time + 1200 s */
  readonly deadline?: number | undefined;
  /** What was signed of the permit that a quote offered */
  readonly permit_kind?: "eip2612" | "dai" | "permit2" | undefined;
  /** takerAddress's signature; the calldata then needs no approval */
  readonly permit_signature?: string | undefined;
  /** The nonce signed; eip2612 needs none */
  readonly permit_nonce?: bigint | undefined;
  /** The deadline signed */
  readonly permit_deadline?: number | undefined;
  /** Chain id, from /v1/platforms */
  readonly chainID: number;
};

/** The best offer for a pair, with the transaction that takes it */
export type QuoteAnswer = {
  /** What the recipient gets, net of every fee */
  readonly amount_out_total: bigint;
  /** Gas units; a limit that the transaction keeps */
  readonly estimate_gas_total: bigint;
  /** Token sold */
  readonly token_in: Hex;
  /** Token bought */
  readonly token_out: Hex;
  /** WEI */
  readonly gas_price: bigint;
  /** Fee in the token bought */
  readonly fee_recipient_amount: bigint;
  /** DEXs used, by percent; percents sum to 100 */
  readonly routes: readonly {
    readonly type: string;
    readonly protocol_name: string;
    readonly percent: number;
    /** Ids of the pools crossed */
    readonly pools: readonly string[];
  }[];
  /** Amount sold, the sell fee included; with side=BUY the least that buys amount */
  readonly amount_in: bigint;
  /** SELL: amount was sold. BUY: amount was bought */
  readonly side: string;
  /** The least that the recipient accepts; below it the transaction reverts */
  readonly min_amount_out: bigint;
  /** Fee in the token sold */
  readonly sell_fee_amount: bigint;
  /** How much worse than for a small amount */
  readonly price_impact_bps?: number | undefined;
  /** The block whose state was priced */
  readonly block_number: number;
  readonly block_hash: Hex;
  /** The whole route; `routes` is its summary */
  readonly route_graph: {
    readonly tokens: readonly {
      readonly address: Hex;
      readonly symbol: string;
      readonly decimals: number;
      /** A public list names it */
      readonly is_listed: boolean;
    }[];
    /** Pool crossings in execution order */
    readonly steps: readonly {
      readonly pool: string;
      readonly protocol: string;
      readonly deployment: string;
      readonly token_in: Hex;
      readonly token_out: Hex;
      readonly amount_in: bigint;
      readonly amount_out: bigint;
      /** Share of what is left of token_in, in 2^-32 */
      readonly share_q32: number;
    }[];
  };
  /** How close the route is to the best that any arrangement of the same pools could pay */
  readonly optimality: {
    /** No route of max_legs for amount_in over the pools that it may use pays the recipient more; null without a proof */
    readonly upper_bound: bigint | null;
    /** How far amount_out_total lies below upper_bound, in basis points, gas not counted; null where that says nothing (reason) */
    readonly gap_bps: number | null;
    /** No route pays the recipient more net of the gas of the pools that it crosses, in the token bought; may be below 0 */
    readonly upper_bound_net: bigint | null;
    /** How far the amount net of gas lies below upper_bound_net, in basis points */
    readonly gap_net_bps: number | null;
    /** The same distance in legs of 60,000 gas; null where gas is not counted, or where that says nothing (reason) */
    readonly gap_legs: number | null;
    /** The gas price that nets are net of, WEI; null where gas is not counted */
    readonly gas_price: bigint | null;
    /** Pool crossings of the routes that the bounds are about; 0 = any number */
    readonly max_legs: number | null;
    /** What cycles of pools would pay after gas at most, in WEI of the native coin; null where it is not known */
    readonly market_arbitrage: bigint | null;
    /** side=BUY: no route that buys amount sells less, the sell fee included; null without a proof */
    readonly lower_bound?: bigint | null | undefined;
    /** Why there is no bound, or no gap in basis points; null where both are said */
    readonly reason: string | null;
  };
  /** How the search for the route ended */
  readonly search: {
    /** false: the time ran out, and this is the best route found until then */
    readonly complete: boolean;
    /** How long the search took, in milliseconds */
    readonly ms: number;
    /** From the request until its search began, in milliseconds: in a queue, or for min_block */
    readonly waited_ms: number;
  };
  /** How much of the chain is known, while its pools are still being discovered */
  readonly coverage?: {
    readonly tokens: number;
    /** Found, in the market or not */
    readonly pools: number;
    readonly phase: string;
    readonly complete: boolean;
  } | undefined;
  readonly warnings: readonly string[];
  /** What takerAddress lacks to pay, in smallest units; {} where it lacks nothing, null where that is not known */
  readonly issues: {
    readonly balance?: {
      readonly needed: bigint;
      readonly actual: bigint;
      readonly token: Hex;
    } | undefined;
    readonly allowance?: {
      readonly spender: Hex;
      readonly needed: bigint;
      readonly actual: bigint;
    } | undefined;
  } | null;
  /** US dollars, by the chain's own pools of dollar tokens; null where too little depth prices it */
  readonly amount_in_usd: string | null;
  /** US dollars; null where too little depth prices it */
  readonly amount_out_usd: string | null;
  /** US dollars of the worst case: what arrives at the least; null where too little depth prices it */
  readonly min_amount_out_usd: string | null;
  /** US dollars of the gas at gas_price; null where too little depth prices it */
  readonly gas_usd: string | null;
  /** amount_out_total less what the gas costs in the token bought; below 0 where the gas costs more */
  readonly net_out: bigint | null;
  /** Thousandths, as slippage: 10 = 1 % */
  readonly price_impact: number | null;
  /** The slippage to allow for this pair and size; 10 = 1 % */
  readonly suggested_slippage: number;
  /** warnings, structured; the gravest first */
  readonly notices: readonly {
    readonly code: string;
    readonly severity: string;
    /** For people */
    readonly message: string;
    readonly details: Readonly<Record<string, string | number>>;
  }[];
  /** sealed: the state of a mined block was priced; preconfirmed: that of the block being built on block_number, as the sequencer announced it so far, which may still change */
  readonly state: string;
  /** Unix time after which a transaction of this offer reverts */
  readonly valid_until: number;
  /** 128 random bits that name this answer in the log; /v1/{chainID}/quotes/{id} tells how it came about */
  readonly quote_id: string;
  /** Input data of the transaction */
  readonly calldata: Hex;
  /** Contract that the input data is sent to, and that spends the token sold */
  readonly to: Hex;
  /** WEI of the native coin to send along */
  readonly value: bigint;
  /** The transaction was run for takerAddress and paid exactly this */
  readonly simulated: boolean;
  /** Unix time at which a maker's order lapses */
  readonly expiry?: number | undefined;
  /** The allowance for `to` that this transaction needs, and no more; 0 where none */
  readonly approve_amount: bigint;
  /** What takerAddress may sign in the place of an approval, read from the chain; absent for the native coin and without takerAddress */
  readonly permit?: {
    readonly eip2612?: {
      /** What to sign, as eth_signTypedData_v4 and viem's signTypedData take it */
      readonly typed_data: Readonly<Record<string, unknown>>;
      /** The same as the arguments of ethers' signTypedData(domain, types, value), which refuses types that hold EIP712Domain */
      readonly typed_data_ethers: {
        readonly domain: Readonly<Record<string, unknown>>;
        readonly types: Readonly<Record<string, unknown>>;
        readonly value: Readonly<Record<string, unknown>>;
      };
      /** To be sent back with the signature */
      readonly permit_nonce: bigint;
      /** To be sent back with the signature */
      readonly permit_deadline: number;
      /** false: the token must be approved once for the contract in approve */
      readonly ready: boolean;
      /** The contract that takes the tokens by this signature: Permit2 */
      readonly approve?: Hex | undefined;
    } | undefined;
    readonly dai?: {
      /** What to sign, as eth_signTypedData_v4 and viem's signTypedData take it */
      readonly typed_data: Readonly<Record<string, unknown>>;
      /** The same as the arguments of ethers' signTypedData(domain, types, value), which refuses types that hold EIP712Domain */
      readonly typed_data_ethers: {
        readonly domain: Readonly<Record<string, unknown>>;
        readonly types: Readonly<Record<string, unknown>>;
        readonly value: Readonly<Record<string, unknown>>;
      };
      /** To be sent back with the signature */
      readonly permit_nonce: bigint;
      /** To be sent back with the signature */
      readonly permit_deadline: number;
      /** false: the token must be approved once for the contract in approve */
      readonly ready: boolean;
      /** The contract that takes the tokens by this signature: Permit2 */
      readonly approve?: Hex | undefined;
    } | undefined;
    readonly permit2?: {
      /** What to sign, as eth_signTypedData_v4 and viem's signTypedData take it */
      readonly typed_data: Readonly<Record<string, unknown>>;
      /** The same as the arguments of ethers' signTypedData(domain, types, value), which refuses types that hold EIP712Domain */
      readonly typed_data_ethers: {
        readonly domain: Readonly<Record<string, unknown>>;
        readonly types: Readonly<Record<string, unknown>>;
        readonly value: Readonly<Record<string, unknown>>;
      };
      /** To be sent back with the signature */
      readonly permit_nonce: bigint;
      /** To be sent back with the signature */
      readonly permit_deadline: number;
      /** false: the token must be approved once for the contract in approve */
      readonly ready: boolean;
      /** The contract that takes the tokens by this signature: Permit2 */
      readonly approve?: Hex | undefined;
    } | undefined;
  } | undefined;
  /** This very calldata, run on the block of the offer; null where no node could in time */
  readonly simulation: {
    readonly status: string;
    /** What the recipient got; null where it reverted */
    readonly amount_out: bigint | null;
    /** Gas units that the simulated swap used; null where the simulation does not tell */
    readonly gas_used: bigint | null;
    /** The block whose state it ran on */
    readonly block: number;
    readonly method: string;
    /** wallet: takerAddress's own. overridden: it, or a stand-in, was given what it lacks for the run */
    readonly funds: string;
    /** Why it reverted, for people */
    readonly reason: string | null;
  } | null;
  /** Why simulation is null; null where it is not */
  readonly simulation_reason: string | null;
  /** What takerAddress has to call, in order: reset, approve, swap, as far as needed, for wallets that send several calls as one (EIP-5792). Without takerAddress as if nothing were approved; null where no node answers */
  readonly calls: readonly {
    /** Contract */
    readonly to: Hex;
    readonly data: Hex;
    /** WEI */
    readonly value: bigint;
  }[] | null;
};

/** The best offers for up to 64 amounts or pairs, all at one block; counts as as many requests */
export type PricesParameters = {
  /** Chain id, from /v1/platforms */
  readonly chainID: number;
  /** What to price. A parameter that an entry leaves out is taken from beside the list */
  readonly requests: readonly {
    /** Token sold; the native coin is 0xeee… */
    readonly fromTokenAddress?: string | undefined;
    /** Token bought; the native coin is 0xeee… */
    readonly toTokenAddress?: string | undefined;
    /** Amount sold, in smallest units; with side=BUY the amount that the recipient gets */
    readonly amount?: bigint | undefined;
    /** SELL: amount is sold. BUY: amount is bought for as little as possible */
    readonly side?: "SELL" | "BUY" | undefined;
    /** Gas price in WEI; default: the high level of gasprices */
    readonly gasPrice?: bigint | undefined;
    /** Wallet that the fees go to */
    readonly feeRecipient?: string | undefined;
    /** Fee on the token bought; 10 = 1 % */
    readonly buyTokenPercentageFee?: number | undefined;
    /** Fee on the token sold; 10 = 1 % */
    readonly sellTokenPercentageFee?: number | undefined;
    /** Only makers' orders */
    readonly rfqOnly?: boolean | undefined;
    /** Sources not to use, by id or name, from /v1/sources */
    readonly excludeAggregator?: readonly string[] | undefined;
    /** The only sources to use; not together with excludeAggregator */
    readonly includeAggregator?: readonly string[] | undefined;
    /** Choose the route net of gas */
    readonly withGas?: boolean | undefined;
    /** Refuse an offer with a higher price impact; 10 = 1 % */
    readonly max_price_impact?: number | undefined;
    /** Answer from no older block; waits up to 1 s */
    readonly min_block?: number | undefined;
    /** Slippage allowed; 10 = 1 %, fractions allowed; beyond it the transaction reverts */
    readonly slippage?: number | undefined;
  }[];
  /** Token sold; the native coin is 0xeee… */
  readonly fromTokenAddress?: string | undefined;
  /** Token bought; the native coin is 0xeee… */
  readonly toTokenAddress?: string | undefined;
  /** Amount sold, in smallest units; with side=BUY the amount that the recipient gets */
  readonly amount?: bigint | undefined;
  /** SELL: amount is sold. BUY: amount is bought for as little as possible */
  readonly side?: "SELL" | "BUY" | undefined;
  /** Gas price in WEI; default: the high level of gasprices */
  readonly gasPrice?: bigint | undefined;
  /** Wallet that the fees go to */
  readonly feeRecipient?: string | undefined;
  /** Fee on the token bought; 10 = 1 % */
  readonly buyTokenPercentageFee?: number | undefined;
  /** Fee on the token sold; 10 = 1 % */
  readonly sellTokenPercentageFee?: number | undefined;
  /** Only makers' orders */
  readonly rfqOnly?: boolean | undefined;
  /** Sources not to use, by id or name, from /v1/sources */
  readonly excludeAggregator?: readonly string[] | undefined;
  /** The only sources to use; not together with excludeAggregator */
  readonly includeAggregator?: readonly string[] | undefined;
  /** Choose the route net of gas */
  readonly withGas?: boolean | undefined;
  /** Refuse an offer with a higher price impact; 10 = 1 % */
  readonly max_price_impact?: number | undefined;
  /** Answer from no older block; waits up to 1 s */
  readonly min_block?: number | undefined;
  /** Slippage allowed; 10 = 1 %, fractions allowed; beyond it the transaction reverts */
  readonly slippage?: number | undefined;
};

/** The best offers for up to 64 amounts or pairs, all at one block; counts as as many requests */
export type PricesAnswer = {
  /** The block whose state all of them were priced in */
  readonly block_number: number;
  readonly block_hash: Hex;
  /** One for each request, in the same order: what price answers, or why there is no offer */
  readonly prices: readonly {
    readonly offer?: PriceAnswer | undefined;
    readonly error?: {
      /** What happened, for people */
      readonly error: string;
      /** The same text */
      readonly message: string;
      /** Public number of the reason: never reused, never renamed */
      readonly code: number;
      readonly reason: string;
      /** Each bad field, or facts by name */
      readonly details: readonly ({
        readonly field: string;
        readonly reason: string;
      } & Readonly<Record<string, string | number>>)[];
      readonly type: string;
      readonly title: string;
      readonly status: number;
    } | undefined;
  }[];
};

/** All active tokens of a chain */
export type ChainTokensParameters = {
  /** Chain id, from /v1/platforms */
  readonly chainID: number;
};

/** All active tokens of a chain */
export type ChainTokensAnswer = {
  readonly tokens: readonly {
    readonly chainId: number;
    /** Contract address in lower case; the native coin is 0xeee… */
    readonly address: Hex;
    readonly name: string;
    readonly symbol: string;
    readonly decimals: number;
    readonly logoURI: string;
    /** false = rarely used in exchanges */
    readonly is_active: boolean;
    /** 1 = show first */
    readonly priority: number;
    /** true = supported by makers */
    readonly is_rfq_mode: boolean;
    /** A public list names it */
    readonly is_listed: boolean;
    /** true = GET /v1/{chainID}/tokens/{tokenAddress}/logo may have its picture */
    readonly has_logo: boolean;
  }[];
};

/** Chains that are served */
export type PlatformsAnswer = {
  readonly platforms: readonly {
    readonly chainId: number;
    readonly name: string;
    readonly shortname: string;
    readonly native_symbol: string;
    /** The unit of gasprices, as people of this chain call it */
    readonly gas_unit: string;
    /** Typical time between two blocks */
    readonly block_time_ms: number;
    /** Block explorer; a transaction is at /tx/<hash> below it */
    readonly explorer_url?: string | undefined;
    /** Only on the embedded devnet: where a wallet on this machine reaches its node */
    readonly devnet_rpc_url?: string | undefined;
  }[];
};

/** Gas prices in GWEI */
export type GasPricesParameters = {
  /** Chain id, from /v1/platforms */
  readonly chainID: number;
};

/** Gas prices in GWEI */
export type GasPricesAnswer = {
  /** Base fee of the next block */
  readonly baseFee: string;
  /** Likely accepted no earlier than after block 5 */
  readonly low: string;
  /** Likely accepted within the next 2 to 3 blocks */
  readonly medium: string;
  /** Likely accepted in the next block */
  readonly high: string;
  readonly lowInfo: {
    /** For transactions without EIP-1559 fields */
    readonly price: string;
    /** Tip */
    readonly maxPriorityFeePerGas: string;
    /** Base fee and tip at most */
    readonly maxFeePerGas: string;
  };
  readonly mediumInfo: {
    /** For transactions without EIP-1559 fields */
    readonly price: string;
    /** Tip */
    readonly maxPriorityFeePerGas: string;
    /** Base fee and tip at most */
    readonly maxFeePerGas: string;
  };
  readonly highInfo: {
    /** For transactions without EIP-1559 fields */
    readonly price: string;
    /** Tip */
    readonly maxPriorityFeePerGas: string;
    /** Base fee and tip at most */
    readonly maxFeePerGas: string;
  };
};

/** Sources of liquidity: the names that includeAggregator and excludeAggregator accept */
export type SourcesAnswer = {
  readonly sources: readonly {
    readonly id: string;
    readonly name: string;
    /** An image as a data URL */
    readonly logo: string;
    readonly type: string;
    /** The design behind it */
    readonly protocol: string;
    readonly chain_ids: readonly number[];
  }[];
};

/** How much of a token the exchange contract may spend */
export type AllowanceParameters = {
  /** Token */
  readonly tokenAddress: string;
  /** Wallet */
  readonly walletAddress: string;
  /** Chain id, from /v1/platforms */
  readonly chainID: number;
};

/** How much of a token the exchange contract may spend */
export type AllowanceAnswer = {
  /** Smallest units; 2^256 - 1 for the native coin */
  readonly remaining: bigint;
  readonly warnings: readonly string[];
};

/** The transaction that lets the exchange contract spend a token */
export type ApproveParameters = {
  /** Token; the native coin needs no approval */
  readonly tokenAddress: string;
  /** Wallet that approves; with it the gas is measured */
  readonly takerAddress?: string | undefined;
  /** Smallest units; 0 revokes; default: 2^256 - 1. The approve_amount of a quote is enough for it */
  readonly amount?: bigint | undefined;
  /** Gas price in WEI; default: the medium level of gasprices */
  readonly gasPrice?: bigint | undefined;
  /** Contract that may spend; default: the exchange contract */
  readonly contractAddress?: string | undefined;
  /** Chain id, from /v1/platforms */
  readonly chainID: number;
};

/** The transaction that lets the exchange contract spend a token */
export type ApproveAnswer = {
  /** Input data of the transaction */
  readonly calldata: Hex;
  /** WEI */
  readonly gas_price: bigint;
  /** The token */
  readonly to: Hex;
  /** Gas units; a limit that the transaction keeps */
  readonly estimate_gas: bigint;
  /** takerAddress has an allowance that this token only changes to 0: send reset_calldata first */
  readonly reset_first: boolean;
  /** Input data that approves 0 */
  readonly reset_calldata?: Hex | undefined;
  readonly warnings: readonly string[];
};

/** The state of every chain */
export type HealthAnswer = {
  readonly status: string;
  readonly version: string;
  /** Unix time */
  readonly time: number;
  readonly searches_running: number;
  readonly chains: readonly {
    readonly chainId: number;
    readonly name: string;
    readonly phase: string;
    /** Why it cannot be priced now */
    readonly trouble: string | null;
    /** Why nothing can be swapped: quote answers 4003, price goes on */
    readonly router_trouble: string | null;
    readonly block_number: number | null;
    readonly block_hash: Hex | null;
    /** Since the head was confirmed */
    readonly age_ms: number | null;
    readonly pools: number;
    readonly tokens: number;
    /** Pools that the chain or their own design contradicts */
    readonly quarantined: number;
    /** Checks of pools that simulations disagreed with, by outcome; only `wrong` quarantines */
    readonly checks: Readonly<Record<string, number>>;
    /** Pools that are not priced, by reason */
    readonly refused: Readonly<Record<string, number>>;
    /** Endpoints that said what cannot be true in the last 10 minutes, or what another one says otherwise */
    readonly doubted_endpoints: readonly {
      /** Its place in the configuration, from 0 */
      readonly endpoint: number;
      readonly why: string;
    }[];
    /** Makers of the configuration */
    readonly makers: readonly {
      readonly name: string;
      readonly phase: string;
      /** Pairs that it prices now */
      readonly pairs: number;
      /** Orders asked for, by outcome; all but `given` and `unchecked` are fades */
      readonly orders: Readonly<Record<string, number>>;
      /** Smoothed share of fades in the last hour; above 0.12 it is blocked */
      readonly fade_rate: number;
      readonly blocked_for_ms: number;
      /** Why its newest levels were not taken, or which of them cannot be used */
      readonly trouble: string | null;
    }[];
  }[];
};

/** The body of every answer that is not 2xx */
export type Failure = {
  /** What happened, for people */
  readonly error: string;
  /** The same text */
  readonly message: string;
  /** Public number of the reason: never reused, never renamed */
  readonly code: number;
  readonly reason: string;
  /** Each bad field, or facts by name */
  readonly details: readonly ({
    readonly field: string;
    readonly reason: string;
  } & Readonly<Record<string, string | number>>)[];
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly request_id: string;
  /** The same text as error */
  readonly detail: string;
  /** The path asked */
  readonly instance: string;
};

/**
 * Where each operation is asked. `integers` are the fields of its answer that are decimal integers on the wire and
 * bigints here; `[]` marks a list. `required` are those that every answer has.
 */
export const operations = {
  price: {"method":"GET","path":"/v1/{chainID}/price","integers":["amount_out_total","estimate_gas_total","gas_price","fee_recipient_amount","amount_in","min_amount_out","sell_fee_amount","route_graph.steps[].amount_in","route_graph.steps[].amount_out","optimality.upper_bound","optimality.upper_bound_net","optimality.gas_price","optimality.market_arbitrage","optimality.lower_bound","issues.balance.needed","issues.balance.actual","issues.allowance.needed","issues.allowance.actual","net_out"],"required":["amount_out_total","estimate_gas_total","gas_price","fee_recipient_amount","amount_in","min_amount_out","sell_fee_amount"]},
  quote: {"method":"GET","path":"/v1/{chainID}/quote","integers":["amount_out_total","estimate_gas_total","gas_price","fee_recipient_amount","amount_in","min_amount_out","sell_fee_amount","route_graph.steps[].amount_in","route_graph.steps[].amount_out","optimality.upper_bound","optimality.upper_bound_net","optimality.gas_price","optimality.market_arbitrage","optimality.lower_bound","issues.balance.needed","issues.balance.actual","issues.allowance.needed","issues.allowance.actual","net_out","value","approve_amount","permit.eip2612.permit_nonce","permit.dai.permit_nonce","permit.permit2.permit_nonce","simulation.amount_out","simulation.gas_used","calls[].value"],"required":["amount_out_total","estimate_gas_total","gas_price","fee_recipient_amount","amount_in","min_amount_out","sell_fee_amount","value","approve_amount"]},
  prices: {"method":"POST","path":"/v1/{chainID}/prices","integers":["prices[].offer.amount_out_total","prices[].offer.estimate_gas_total","prices[].offer.gas_price","prices[].offer.fee_recipient_amount","prices[].offer.amount_in","prices[].offer.min_amount_out","prices[].offer.sell_fee_amount","prices[].offer.route_graph.steps[].amount_in","prices[].offer.route_graph.steps[].amount_out","prices[].offer.optimality.upper_bound","prices[].offer.optimality.upper_bound_net","prices[].offer.optimality.gas_price","prices[].offer.optimality.market_arbitrage","prices[].offer.optimality.lower_bound","prices[].offer.issues.balance.needed","prices[].offer.issues.balance.actual","prices[].offer.issues.allowance.needed","prices[].offer.issues.allowance.actual","prices[].offer.net_out"],"required":[]},
  chainTokens: {"method":"GET","path":"/v1/{chainID}/tokens","integers":[],"required":[]},
  platforms: {"method":"GET","path":"/v1/platforms","integers":[],"required":[]},
  gasPrices: {"method":"GET","path":"/v1/{chainID}/gasprices","integers":[],"required":[]},
  sources: {"method":"GET","path":"/v1/sources","integers":[],"required":[]},
  allowance: {"method":"GET","path":"/v1/{chainID}/transaction/allowance","integers":["remaining"],"required":["remaining"]},
  approve: {"method":"GET","path":"/v1/{chainID}/transaction/approve","integers":["gas_price","estimate_gas"],"required":["gas_price","estimate_gas"]},
  health: {"method":"GET","path":"/health","integers":[],"required":[]},
} as const;
