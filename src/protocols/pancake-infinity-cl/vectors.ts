import { unhooked } from "../infinity-vectors.ts";
import { MANAGED_FIELDS, managedTrial } from "../pool-manager-vectors.ts";
import { understood, type VectorSuite } from "../swapvec.ts";

export const suite: VectorSuite = {
  names: ["pancake-infinity-cl"],
  open(vector) {
    const state = understood(vector.state, MANAGED_FIELDS, ["hooks", "ticksComplete"]);
    unhooked(state.hooks);
    return managedTrial(vector, state);
  },
};
