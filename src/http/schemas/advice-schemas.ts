import Type from "typebox";
import { OrNull, TextOrNumber } from "./or-null.ts";

const Dollars = (description: string) =>
  OrNull(
    Type.String({
      description: `${description}; null where too little depth prices it`,
      examples: ["1993.87"],
    }),
  );

const NoticeOut = Type.Object({
  code: Type.String({ examples: ["HIGH_PRICE_IMPACT"] }),
  severity: Type.String({ examples: ["info", "warning", "critical"] }),
  message: Type.String({ description: "For people" }),
  details: Type.Record(Type.String(), TextOrNumber),
});

/** Fields of an answer beside the offer itself: US dollar values, advice and the quote id. */
export const adviceFields = {
  amount_in_usd: Dollars("US dollars, by the chain's own pools of dollar tokens"),
  amount_out_usd: Dollars("US dollars"),
  min_amount_out_usd: Dollars("US dollars of the worst case: what arrives at the least"),
  gas_usd: Dollars("US dollars of the gas at gas_price"),
  net_out: OrNull(
    Type.String({
      description:
        "amount_out_total less what the gas costs in the token bought; below 0 where the gas costs more",
      examples: ["1990000000"],
    }),
  ),
  price_impact: OrNull(Type.Number({ description: "Thousandths, as slippage: 10 = 1 %" })),
  suggested_slippage: Type.Number({ description: "The slippage to allow for this pair and size; 10 = 1 %" }),
  notices: Type.Array(NoticeOut, { description: "warnings, structured; the gravest first" }),
  state: Type.String({
    examples: ["sealed"],
    description:
      "sealed: the state of a mined block was priced; preconfirmed: that of the block being built on block_number, as the sequencer announced it so far, which may still change",
  }),
  valid_until: Type.Integer({ description: "Unix time after which a transaction of this offer reverts" }),
  quote_id: Type.String({
    description:
      "128 random bits that name this answer in the log; /v1/{chainID}/quotes/{id} tells how it came about",
  }),
};
