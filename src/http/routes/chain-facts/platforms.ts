import Type from "typebox";
import { platforms } from "../../../service/platforms.ts";
import type { App, Context } from "../../app-types.ts";
import { presentPlatform } from "../../present/present.ts";
import { failureResponses, Platform } from "../../schemas/schemas.ts";

const schema = {
  tags: ["chains"],
  operationId: "platforms",
  summary: "Chains that are served",
  response: { 200: Type.Object({ platforms: Type.Array(Platform) }), ...failureResponses },
};

/** GET /v1/platforms */
export function platformsRoute(app: App, { deps, testWallet }: Context): void {
  app.get("/v1/platforms", { schema }, async () => ({
    platforms: platforms(deps).map((chain) => presentPlatform(chain, testWallet)),
  }));
}
