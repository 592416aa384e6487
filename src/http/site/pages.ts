import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { type Rendered, renderMarkdown } from "./markdown.ts";

/** Root folder of the repository, whose Markdown files are the sources of the pages. */
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A page of the site: the last segment of its URL, its label in the navigation, and its source in the repository. */
type SitePage = { readonly slug: string; readonly label: string; readonly path: string };

type Section = { readonly title: string; readonly pages: readonly SitePage[] };

const page = (slug: string, label: string, path: string): SitePage => ({ slug, label, path });

const LISTED: readonly Section[] = [
  {
    title: "Use it",
    pages: [
      page("swap", "Swap in ten lines", "docs/guide/swap.md"),
      page("api", "The API by example", "docs/api.md"),
      page("fees", "Charge a fee", "docs/guide/fees.md"),
      page("signatures", "Signatures for approvals", "docs/guide/signatures.md"),
      page("failures", "When a request fails", "docs/guide/failures.md"),
      page("errors", "Every error", "docs/errors.md"),
      page("sdk", "The SDK", "packages/sdk/README.md"),
      page("migrate", "Come from another service", "docs/guide/migrate.md"),
    ],
  },
  {
    title: "Run it",
    pages: [
      page("operate", "Operate", "docs/guide/operate.md"),
      page("configuration", "Settings", "docs/configuration.md"),
      page("access", "Keys and limits", "docs/access.md"),
      page("supported", "What is supported", "docs/supported.md"),
      page("add-a-chain", "Add a chain", "docs/recipes/add-a-chain.md"),
      page("add-a-fork", "Add a fork", "docs/recipes/add-a-fork.md"),
      page("add-a-dex", "Add a DEX design", "docs/recipes/add-a-dex.md"),
    ],
  },
  {
    title: "How it works",
    pages: [
      page("routing", "How a route is found", "docs/routing.md"),
      page("fee-rules", "How fees round", "docs/fees.md"),
      page("gas", "Gas", "docs/gas.md"),
      page("benchmarks", "Benchmarks", "docs/benchmarks.md"),
      page("router", "The router contract", "contracts/README.md"),
      page("security", "Security model", "docs/security.md"),
      page("conformance", "Conformance", "docs/conformance.md"),
    ],
  },
];

/** The pages of the site in reading order, without those whose source is missing. Only listed pages are served. */
export const SECTIONS: readonly Section[] = LISTED.map(({ title, pages }) => ({
  title,
  pages: pages.filter(({ path }) => existsSync(join(ROOT, path))),
}));

export const SITE = "/docs";
export const REFERENCE = "/docs/reference";

export const SITE_PAGES = SECTIONS.flatMap(({ pages }) => pages);

/** Images that the site serves. */
export const SITE_IMAGES = ["docs/images/routing.svg"].map((path) => ({
  path,
  address: `${SITE}/images/${posix.basename(path)}`,
}));

/** URL path on the site, by path in the repository. */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ["docs/openapi.json", "/openapi.json"],
  ...SITE_PAGES.map(({ slug, path }) => [path, `${SITE}/${slug}`] as const),
  ...SITE_IMAGES.map(({ path, address }) => [path, address] as const),
]);

/**
 * The URL of a link in a page. Relative paths to sources of the site become its URL paths; absolute URLs, anchors and
 * absolute paths stay as they are.
 *
 * @param from path of the page's source in the repository
 * @returns undefined for a file that the site does not serve
 */
export function resolveLink(from: string, target: string): string | undefined {
  if (/^(https?:\/\/|#|\/(?!\/))/.test(target)) return target;
  const [file, anchor] = target.split("#", 2) as [string, string?];
  const address = ADDRESSES.get(posix.normalize(posix.join(posix.dirname(from), file)));
  return address === undefined || anchor === undefined ? address : `${address}#${anchor}`;
}

/** @param path of a file in the repository */
export const readSource = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** @param path of the page's source in the repository */
export function renderPage(path: string): Rendered {
  return renderMarkdown(readSource(path), (target) => resolveLink(path, target));
}
