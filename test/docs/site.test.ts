import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resolveLink, SECTIONS, SITE_IMAGES, SITE_PAGES } from "../../src/http/site/pages.ts";
import { expectFailure, get } from "../api/ask.ts";
import { createWorld } from "../api/world.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

let api: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());

describe("the documentation at /docs", () => {
  test("begins with its contents, in sections", async () => {
    const { status, text, headers } = await get(api, "/docs");
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    for (const { title, pages } of SECTIONS) {
      expect(pages.length, title).toBeGreaterThan(2);
      for (const { slug, label } of pages) expect(text).toContain(`<a href="/docs/${slug}">${label}</a>`);
    }
    expect(text).toContain('href="/docs/reference"');
    expect(text).toContain('<a href="/status">Status</a>');
    expect(text).toContain("<title>Documentation · Braid</title>");
  });

  test.each(SITE_PAGES)(
    "/docs/$slug needs nothing from outside, runs nothing and has one title",
    async ({ slug }) => {
      const { status, text, headers } = await get(api, `/docs/${slug}`);
      expect(status).toBe(200);
      expect(text.match(/<h1/g)).toHaveLength(1);
      expect(text).not.toMatch(/<script|<style|style=|\son\w+=|src="(https?:)?\/\//);
      expect(text).toContain('aria-current="page"');
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("unsafe");
    },
  );

  test.each(SITE_PAGES)("every link of $path leads somewhere", async ({ path, slug }) => {
    const source = readFileSync(`${root}${path}`, "utf8").replace(/```[\s\S]*?```/g, "");
    for (const [, target] of source.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target!)) continue;
      const file = posix.normalize(posix.join(posix.dirname(path), target!.split("#")[0]!));
      if (!target!.startsWith("#") && !target!.startsWith("/"))
        expect(existsSync(`${root}${file}`), target).toBe(true);
      const address = resolveLink(path, target!);
      if (address === undefined) continue;
      const [where, anchor] = address.split("#") as [string, string?];
      const { status, text } = await get(api, where === "" ? `/docs/${slug}` : where);
      expect([200, 301], target).toContain(status);
      if (anchor !== undefined) expect(text, target).toContain(`id="${anchor}"`);
    }
  });

  // The pages' renderer knows fenced code alone: lines that are only indented would run into one paragraph.
  test.each(SITE_PAGES)("$path fences its code", ({ path }) => {
    const source = readFileSync(`${root}${path}`, "utf8").replace(/```[\s\S]*?```/g, "");
    const indented = source
      .split(/\n{2,}/)
      .filter((block, k, all) => /^ {4}/.test(block) && /^[^\s\d*-]/.test(all[k - 1] ?? "x"));
    expect(indented).toEqual([]);
  });

  test("its style sheet and images are served, and kept for a while", async () => {
    for (const address of ["/docs/style.css", ...SITE_IMAGES.map((image) => image.address)]) {
      const { status, headers } = await get(api, address);
      expect([status, headers["cache-control"]], address).toEqual([200, "public, max-age=300"]);
    }
  });

  test("examples call the service where the page was asked for, and shared caches do not store them", async () => {
    const at = (host: string) => get(api, "/docs/api", {}, { host });
    for (const host of ["127.0.0.1:9191", "braid.example", "[::1]:9191"]) {
      const { text, headers } = await at(host);
      expect(text).toContain(`http://${host}/v1/31337/price?`);
      expect(text).not.toContain("127.0.0.1:8080");
      expect(headers["cache-control"]).toBe("private, no-cache");
    }
    expect((await get(api, "/docs", {}, { host: "braid.example" })).text).toContain(
      "http://braid.example/v1/",
    );
    const answers = await Promise.all(["a.example", "b.example"].map(at));
    expect(answers[0]!.headers.etag).not.toBe(answers[1]!.headers.etag);
  });

  test.each(["<b>", "a'b", 'a"b', "a$(id)", "a b", "a;b", "a/b", "-a", "a:b", `${"a".repeat(300)}.b`])(
    "the host %j is not repeated",
    async (host) => {
      const { status, text } = await get(api, "/docs/api", {}, { host });
      expect([status, text.includes(`http://${host}`)]).toEqual([200, false]);
      expect(text).toContain("http://127.0.0.1:8080/v1/31337/price?");
    },
  );

  test("a trusted proxy names the origin, and nobody else does", async () => {
    const headers = { host: "inner:8080", "x-forwarded-host": "braid.example", "x-forwarded-proto": "https" };
    const proxied = await createWorld({ http: { trustedProxies: 1 } });
    expect((await get(proxied, "/docs/api", {}, headers)).text).toContain("https://braid.example/v1/");
    await proxied.app.close();
    const { text } = await get(api, "/docs/api", {}, headers);
    expect(text).toContain("http://inner:8080/v1/");
    expect(text).not.toContain("braid.example");
  });

  test("files of the repository that are no page are not served", async () => {
    for (const path of [
      "/docs/none",
      "/docs/..%2fpackage.json",
      "/docs/__proto__",
      "/docs/guide/swap.md",
      "/docs/index.md",
    ])
      expectFailure(await get(api, path), 404, "NOT_FOUND");
  });
});

test("settings that the guide names are settings", () => {
  const settings = readFileSync(`${root}docs/configuration.md`, "utf8");
  const guide = readFileSync(`${root}docs/guide/operate.md`, "utf8");
  const named = [...guide.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(4);
  for (const name of new Set(named)) expect(settings).toContain(`\`${name}\``);
});

test("commands that the README and the guide name are commands", () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    scripts: Record<string, string>;
  };
  const pages = ["README.md", "docs/guide/operate.md", "docs/guide/swap.md", "docs/recipes/add-a-chain.md"];
  const named = pages.flatMap((path) =>
    [...readFileSync(`${root}${path}`, "utf8").matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(
      ([, name]) => name!,
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
});

test("every code that a notice may have is told in the API by example", () => {
  const types = readFileSync(`${root}/src/service/advice/types.ts`, "utf8");
  const codes = [...types.matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(10);
  const page = readFileSync(`${root}/docs/api.md`, "utf8");
  expect(codes.filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([]);
});
