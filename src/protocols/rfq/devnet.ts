import { type DevnetProtocol, planOfModels } from "../../devnet/plan/plan.ts";

/** Makers come from the configuration (`npm run maker` is one), and settle by Permit2, which the devnet has anyway. */
export const devnet: DevnetProtocol = {
  deployments: [],
  packages: [],
  plan: async () => planOfModels({ helpers: [], grants: [], transactions: [], checks: [] }),
};
