/** Prints the pages that can be listed from code: `npm run docs`. A test compares what is checked in. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };
import { openApiText } from "../../src/http/schemas/document.ts";
import { errorsPage } from "../../src/http/schemas/errors-page.ts";
import { readFlags } from "../command-line.ts";
import { configurationPage } from "./configuration-page.ts";
import { conformancePage } from "./conformance-page.ts";
import { withDiscoveryTable } from "./discovery-table.ts";
import { makersSchemaText } from "./makers-schema.ts";
import { sdkApiText, sdkRouterText } from "./sdk-api.ts";
import { supportedPage } from "./supported-page.ts";

readFlags({});
const root = fileURLToPath(new URL("../..", import.meta.url));
const openApi = await openApiText(packageJson.version);
const pages: readonly (readonly [path: string, text: string])[] = [
  ["docs/chains.md", withDiscoveryTable(readFileSync(`${root}docs/chains.md`, "utf8"))],
  ["docs/configuration.md", configurationPage()],
  ["docs/conformance.md", conformancePage()],
  ["docs/errors.md", errorsPage()],
  ["docs/supported.md", await supportedPage()],
  ["docs/openapi.json", openApi],
  ["docs/makers.schema.json", makersSchemaText()],
  ["packages/sdk/src/generated/api.ts", sdkApiText(openApi)],
  ["packages/sdk/src/generated/router.ts", sdkRouterText()],
];
for (const [path, text] of pages) {
  mkdirSync(dirname(`${root}${path}`), { recursive: true });
  writeFileSync(`${root}${path}`, text);
  process.stdout.write(`${path} ${text.length} characters\n`);
}
