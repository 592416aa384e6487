import { FirmAnswer, FirmRequest } from "../../src/edge/makers/firm.ts";
import { LevelsAnswer } from "../../src/edge/makers/levels-answer.ts";
import { MakersFile } from "../../src/edge/makers/makers-file.ts";

/** docs/makers.schema.json: every message between Braid and a maker, as it is checked. */
export function makersSchemaText(): string {
  const $defs = { MakersFile, LevelsAnswer, FirmRequest, FirmAnswer };
  const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", title: "Braid's makers", $defs };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
