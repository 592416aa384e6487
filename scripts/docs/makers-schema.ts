import { OrderAnswer } from "../../src/edge/makers/airswap/order.ts";
import { PricingAnswer } from "../../src/edge/makers/airswap/pricing.ts";
import { FirmAnswer, FirmRequest } from "../../src/edge/makers/braid/firm.ts";
import { LevelsAnswer } from "../../src/edge/makers/braid/levels-answer.ts";
import { MakersFile } from "../../src/edge/makers/makers-file.ts";
import { PushRefused } from "../../src/edge/makers/push/pusher.ts";

/** docs/makers.schema.json: every message between Braid and a maker, as it is checked. */
export function makersSchemaText(): string {
  const airSwap = { AirSwapPricing: PricingAnswer, AirSwapOrder: OrderAnswer };
  const $defs = {
    MakersFile,
    LevelsAnswer,
    LevelsPushed: LevelsAnswer,
    PushRefused,
    FirmRequest,
    FirmAnswer,
    ...airSwap,
  };
  const schema = { $schema: "https://json-schema.org/draft/2019-09/schema", title: "Braid's makers", $defs };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
