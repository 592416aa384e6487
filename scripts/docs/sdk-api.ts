/** The SDK's types and facts, printed from the OpenAPI document, the router's artifact and the table of its steps. */
import { toFunctionSelector } from "viem";
import { extraBytes, stepKinds } from "../../src/core/encoding/kinds.ts";
import { ROUTER_ADDRESS } from "../../src/core/encoding/router-artifact.ts";
import { swapAbi } from "../../src/core/encoding/swap.ts";

type Schema = {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly example?: unknown;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
};
type Content = { readonly content?: { readonly "application/json"?: { readonly schema: Schema } } };
type Parameter = {
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Operation = {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: { readonly Failure: Schema } };
};

/** Operations that the SDK offers, with the names that their types have. */
const OFFERED = {
  price: "Price",
  quote: "Quote",
  prices: "Prices",
  chainTokens: "ChainTokens",
  platforms: "Platforms",
  gasPrices: "GasPrices",
  sources: "Sources",
  allowance: "Allowance",
  approve: "Approve",
  health: "Health",
} as const;

const INTEGER_FORMATS = ["amount", "allowance", "wei", "uint256"];

/** Integers of an answer that the document does not mark by an example of digits. */
const INTEGER_NAMES = new Set([
  "market_arbitrage",
  ...["amount_in", "amount_out", "upper_bound", "upper_bound_net", "lower_bound", "net_out"],
  ...["gas_used", "needed", "actual", "gas_price", "value"],
]);
/** Bytes and addresses that the document does not mark. */
const HEX_NAMES = new Set([
  ...["calldata", "reset_calldata", "block_hash", "data", "to", "spender", "address", "token"],
  ...["token_in", "token_out", "approve"],
]);

const HEADER = "/** Printed by `npm run docs`; a test compares it with its sources. Do not edit. */\n";

/** A schema whose `type` is a list allows each of these types. */
type UnionSchema = Schema & { readonly type: readonly string[] };

function isUnion(schema: Schema): schema is UnionSchema {
  return Array.isArray(schema.type);
}

function eachType(schema: UnionSchema): Schema[] {
  return schema.type.map((type) => (type === "null" ? { type } : { ...schema, type }));
}

function isInteger(name: string, schema: Schema): boolean {
  if (schema.type !== "string") return false;
  return (
    INTEGER_FORMATS.includes(schema.format ?? "") ||
    /^\d{2,}$/.test(String(schema.example ?? "")) ||
    (schema.example === undefined && INTEGER_NAMES.has(name))
  );
}

/** One place where a schema becomes text; `known` names the types that are already printed. */
function typeText(name: string, schema: Schema, known: ReadonlyMap<string, string>): string {
  const named = known.get(JSON.stringify(schema));
  if (named !== undefined) return named;
  if (isUnion(schema))
    return eachType(schema)
      .map((each) => typeText(name, each, known))
      .join(" | ");
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  switch (schema.type) {
    case "object":
      return objectText(schema, known);
    case "array":
      return `readonly ${wrapped(typeText(name, schema.items ?? {}, known))}[]`;
    case "string":
      return stringText(name, schema);
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "null":
      return schema.type;
    default:
      return "unknown";
  }
}

/** An element type of a list: a union or an intersection needs parentheses. */
function wrapped(text: string): string {
  let depth = 0;
  for (const character of text) {
    if (character === "{" || character === "<") depth++;
    else if (character === "}" || character === ">") depth--;
    else if (depth === 0 && (character === "|" || character === "&")) return `(${text})`;
  }
  return text;
}

/** Lines moved in by the braces around them. */
function indented(text: string): string {
  let depth = 0;
  const lines = text.split("\n").map((line) => {
    if (line.startsWith("}")) depth--;
    const moved = line === "" ? "" : "  ".repeat(depth) + line;
    if (line.endsWith("{")) depth++;
    return moved;
  });
  return lines.join("\n");
}

function stringText(name: string, schema: Schema): string {
  if (isInteger(name, schema)) return "bigint";
  const isBytes = HEX_NAMES.has(name) || String(schema.example ?? "").startsWith("0x");
  return isBytes && schema.format === undefined ? "Hex" : "string";
}

function objectText(schema: Schema, known: ReadonlyMap<string, string>): string {
  const fields = Object.entries(schema.properties ?? {}).map(([name, each]) =>
    fieldText(name, each, { required: schema.required?.includes(name) ?? false, known }),
  );
  const more = schema.additionalProperties;
  if (more === undefined || more === false) return `{\n${fields.join("\n")}\n}`;
  const rest = `Readonly<Record<string, ${more === true ? "unknown" : typeText("", more, known)}>>`;
  return fields.length === 0 ? rest : `{\n${fields.join("\n")}\n} & ${rest}`;
}

function fieldText(
  name: string,
  schema: Schema,
  { required, known }: { required: boolean; known: ReadonlyMap<string, string> },
): string {
  const comment = schema.description === undefined ? "" : `/** ${schema.description} */\n`;
  const text = typeText(name, schema, known);
  return `${comment}readonly ${name}${required ? "" : "?"}: ${text}${required ? "" : " | undefined"};`;
}

/** Where the integers of an answer stand: names joined by dots, `[]` behind the name of a list. */
function integerPaths(schema: Schema, path: string, name: string): string[] {
  if (isUnion(schema)) return eachType(schema).flatMap((each) => integerPaths(each, path, name));
  if (isInteger(name, schema)) return [path];
  const below = Object.entries(schema.properties ?? {}).flatMap(([key, each]) =>
    integerPaths(each, path === "" ? key : `${path}.${key}`, key),
  );
  const items = schema.items === undefined ? [] : integerPaths(schema.items, `${path}[]`, name);
  return [...below, ...items];
}

/** The integers that every answer has. */
function requiredIntegers({ required = [], properties = {} }: Schema): string[] {
  return required.filter((name) => {
    const schema = properties[name];
    return schema !== undefined && !isUnion(schema) && isInteger(name, schema);
  });
}

/** The parameters of path and query as one object. */
function parametersOf(operation: Operation): Schema | undefined {
  const parameters = operation.parameters ?? [];
  const body = schemaOf(operation.requestBody);
  if (parameters.length === 0 && body === undefined) return undefined;
  const properties = parameters.map(({ name, schema, description }) => {
    return [name, { ...schema, ...(description === undefined ? {} : { description }) }] as const;
  });
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  return {
    type: "object",
    required: [...required, ...(body?.required ?? [])],
    properties: { ...Object.fromEntries(properties), ...body?.properties },
  };
}

function schemaOf(content: Content | undefined): Schema | undefined {
  return content?.content?.["application/json"]?.schema;
}

/** packages/sdk/src/generated/api.ts */
export function sdkApiText(openApi: string): string {
  const document = JSON.parse(openApi) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const known = new Map<string, string>();
  let text = `${HEADER}\nimport type { Hex } from "../hex.ts";\n`;
  const rows: string[] = [];
  for (const [id, name] of Object.entries(OFFERED)) {
    const found = operations.find((each) => each.operation.operationId === id);
    const answer = schemaOf(found?.operation.responses["200"]);
    if (found === undefined || answer === undefined) throw new Error(`The API has no operation ${id}.`);
    const { operation, path, method } = found;
    const parameters = parametersOf(operation);
    const summary = `/** ${operation.summary ?? id} */\n`;
    if (parameters !== undefined)
      text += `\n${summary}export type ${name}Parameters = ${typeText("", parameters, known)};\n`;
    text += `\n${summary}export type ${name}Answer = ${typeText("", answer, known)};\n`;
    known.set(JSON.stringify(answer), `${name}Answer`);
    const integers = integerPaths(answer, "", "");
    const row = { method: method.toUpperCase(), path, integers, required: requiredIntegers(answer) };
    rows.push(`${id}: ${JSON.stringify(row)},`);
  }
  const failure = typeText("", document.components.schemas.Failure, known);
  text += `\n/** The body of every answer that is not 2xx */\nexport type Failure = ${failure};\n`;
  text +=
    "\n/**\n * Where each operation is asked. `integers` are the fields of its answer that are decimal integers on the wire and\n";
  text += " * bigints here; `[]` marks a list. `required` are those that every answer has.\n */\n";
  return indented(`${text}export const operations = {\n${rows.join("\n")}\n} as const;\n`);
}

/** packages/sdk/src/generated/router.ts */
export function sdkRouterText(): string {
  const widths = Object.entries(extraBytes).map(([kind, bytes]) => `  ${kind}: ${bytes},`);
  return [
    `${HEADER}`,
    'import type { Hex } from "../hex.ts";',
    "",
    "/** The router: the same address on every chain, from the artifact that is deployed. */",
    `export const ROUTER: Hex = ${JSON.stringify(ROUTER_ADDRESS)};`,
    "",
    "/** Selector of swap(uint256,uint256,address,uint256,bytes). */",
    `export const SWAP_SELECTOR = ${JSON.stringify(toFunctionSelector(swapAbi[0]))};`,
    "",
    "/** Bytes behind the fixed part of a step, by kind. */",
    `export const stepBytes: Readonly<Record<number, number>> = {\n${widths.join("\n")}\n};`,
    "",
    "/** Steps that carry a signature of the payer. */",
    `export const permitKinds = { permit: ${stepKinds.permit}, permit2: ${stepKinds.permit2} } as const;`,
    "",
  ].join("\n");
}
