import { MANAGED_FIELDS, managedTrial } from "../pool-manager-vectors.ts";
import { NotUnderstood, understood, type VectorSuite } from "../swapvec.ts";

export const suite: VectorSuite = {
  names: ["uniswap-v4"],
  open(vector) {
    const state = understood(vector.state, [...MANAGED_FIELDS, "hooks"], ["ticksComplete"]);
    if (state.hooks !== null) throw new NotUnderstood(`hooks ${state.hooks}`);
    return managedTrial(vector, state);
  },
};
