import { type EncodingContext, encodeSwap, planSteps, type WireRoute } from "../../core/encoding/index.ts";
import type { Registry } from "../../core/protocol.ts";
import type { Address, Route, View } from "../../core/types.ts";
import type { ServedChain } from "../ports/ports.ts";
import type { Fees } from "../pricing/offer.ts";
import { deploymentOf } from "../pricing/route-summary.ts";
import type { Call } from "./simulation.ts";

/** The parameters of the router's call other than the route. */
type CallTerms = {
  /** The sell fee included. */
  readonly amountIn: bigint;
  readonly minimumOut: bigint;
  /** undefined = the sender. */
  readonly recipient: Address | undefined;
  /** Unix time in seconds. */
  readonly deadline: number;
  readonly fees: Fees;
};

/** The chain and the pool states that the encoding of a route reads. */
type CallContext = {
  readonly served: Pick<ServedChain, "chain" | "isVetted">;
  readonly registry: Registry;
  readonly view: View;
};

function encodingOf({ served, registry, view }: CallContext): EncodingContext {
  const { chain, isVetted } = served;
  return { registry, view, trusts: (pool) => deploymentOf(chain, pool).trusted, vets: isVetted };
}

/** The route in the router's format. */
export function wireRoute(route: Route, fees: Fees, context: CallContext): WireRoute {
  return planSteps(route, fees.buyPermille > 0, encodingOf(context));
}

/** The router's calldata for a route. */
export function swapCall(route: Route, terms: CallTerms, context: CallContext): Call {
  const { fees } = terms;
  return encodeSwap(
    terms.amountIn,
    route,
    {
      minimumOut: terms.minimumOut,
      recipient: terms.recipient,
      deadline: terms.deadline,
      sellFeePermille: fees.sellPermille,
      buyFeePermille: fees.buyPermille,
      feeRecipient: fees.recipient,
    },
    encodingOf(context),
  );
}

export const NO_FEES: Fees = { recipient: undefined, buyPermille: 0, sellPermille: 0 };
