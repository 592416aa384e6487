import { Settings } from "../../src/config.ts";

type Setting = {
  readonly type?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
};

function valuesOf({ type, minimum, maximum, enum: names }: Setting): string {
  if (names !== undefined) return names.join(", ");
  if (type === "boolean") return "0 or 1";
  if (type === "string") return "text";
  if (maximum !== undefined) return `${minimum ?? 0} … ${maximum}`;
  return minimum === undefined ? `${type}` : `${minimum} or more`;
}

const shown = (fallback: unknown): string =>
  fallback === undefined ? "unset" : `\`${fallback === true ? 1 : fallback === false ? 0 : fallback}\``;

/** docs/configuration.md, from the one schema of the settings. */
export function configurationPage(): string {
  const rows = Object.entries(Settings.properties as Record<string, Setting>).map(
    ([name, setting]) =>
      `| \`${name}\` | ${valuesOf(setting)} | ${shown(setting.default)} | ${setting.description ?? ""} |`,
  );
  return `# Configuration

Environment variables; one that is empty, or spaces alone, counts as unset. A bad setting ends the start with one message that names all of
them. This page is printed from the code by \`npm run docs\`.

| variable | values | default | meaning |
|---|---|---|---|
${rows.join("\n")}
| \`RPC_URL_<chain id>\` | http, https, ws or wss URLs, comma-separated | unset | Endpoints of a real chain. Where one is set, these chains are served and the devnet is not started. |
| \`FLASHBLOCKS_URL_<chain id>\` | one ws or wss URL | unset | Stream of partial blocks (flashblocks, as on Base) of a chain that has \`RPC_URL_<chain id>\`: a node provider's endpoint that takes \`eth_subscribe("newFlashblocks")\`, or a sequencer's own stream. Prices are then of the block that is being built and say \`"state": "preconfirmed"\`. Unset: sealed blocks alone. |
`;
}
