import {
  CONCENTRATED_FIELDS,
  concentratedOf,
  concentratedTrial,
} from "../shared/concentrated/concentrated-vectors.ts";
import { understood, type VectorSuite } from "../swapvec.ts";

export const suite: VectorSuite = {
  names: ["uniswap-v3", "pancake-v3", "aerodrome-slipstream"],
  open(vector) {
    const state = understood(vector.state, ["fee", ...CONCENTRATED_FIELDS], ["ticksComplete"]);
    return concentratedTrial(vector, concentratedOf(state, state.fee));
  },
};
