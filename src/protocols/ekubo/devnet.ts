import type { DevnetProtocol } from "../../devnet/plan/plan.ts";
export const devnet: DevnetProtocol = {
  deployments: [],
  packages: [],
  plan: async () => ({
    contracts: [],
    helpers: [],
    grants: [],
    transactions: [],
    ageing: [],
    checks: [],
    venues: [],
  }),
};
