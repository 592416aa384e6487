const layer = (name, from, allowed, comment) => ({
  name,
  severity: "error",
  comment,
  from: { path: `^src/${from}/`, pathNot: ["\\.test\\.ts$", "/devnet\\.ts$", "/arbitrary\\.ts$"] },
  to: { path: "^src/", pathNot: allowed.map((room) => `^src/${room}`) },
});

/** A room of the engine knows itself, the engine's interface, and the rooms that are named: arrows go one way. */
const room = (name, allowed, comment) => ({
  name: `routing-${name}`,
  severity: "error",
  comment,
  from: { path: `^src/core/routing/${name}/`, pathNot: "\\.test\\.ts$" },
  to: {
    path: "^src/core/routing/",
    pathNot: [
      "^src/core/routing/types\\.ts$",
      ...[name, ...allowed].map((one) => `^src/core/routing/${one}/`),
    ],
  },
});

const MARKET = ["market-graph", "curves"];

module.exports = {
  forbidden: [
    layer("core-stands-alone", "core", ["core/"], "The core is pure and knows nobody."),
    layer(
      "protocols-use-core",
      "protocols",
      ["core/", "protocols/"],
      "A protocol is pure: state in, state out.",
    ),
    layer("chains-are-data", "chains", ["core/", "chains/"], "A chain is data."),
    layer(
      "service-uses-core",
      "service",
      ["core/", "protocols/", "chains/", "service/"],
      "Use cases know no HTTP and no SQL.",
    ),
    layer(
      "edge-implements-ports",
      "edge",
      ["core/", "protocols/", "chains/", "service/ports", "edge/"],
      "The edge implements the service's ports.",
    ),
    layer(
      "http-calls-service",
      "http",
      ["core/", "service/", "http/"],
      "A route translates; it never prices.",
    ),
    layer(
      "devnet-is-outside",
      "devnet",
      ["core/", "protocols/", "chains/", "devnet/"],
      "The devnet is a chain like any other: nobody's shortcut.",
    ),
    room("curves", [], "A curve knows neither tokens nor orders."),
    room("market-graph", ["curves"], "What a block says of the market, before any order."),
    room("convex", MARKET, "Solves the problem that it is given; chooses no pools."),
    room("certificate", MARKET, "A proof depends on no search."),
    room("settlement", MARKET, "Settles what it is given, to the unit."),
    room("multi-asset", ["convex", ...MARKET], "Pools of several tokens in a convex problem."),
    room(
      "column-generation",
      ["multi-asset", "convex", ...MARKET],
      "Chooses the pools of the convex problem.",
    ),
    room(
      "sparse-routes",
      ["column-generation", "settlement", "convex", ...MARKET],
      "Routes of few legs, from the optimum of many.",
    ),
    {
      name: "one-folder-a-protocol",
      severity: "error",
      comment:
        "A protocol may not reach into its neighbour, nor `shared` into a protocol; shared maths moves down to core/math.",
      from: { path: "^src/protocols/([^/]+)/" },
      to: { path: "^src/protocols/([^/]+)/", pathNot: "^src/protocols/($1|shared)/" },
    },
    {
      name: "no-builtins-below-the-edge",
      severity: "error",
      comment: "Core, protocols, chains and services do no I/O.",
      from: { path: "^src/(core|protocols|chains|service)/", pathNot: ["\\.test\\.ts$", "/devnet\\.ts$"] },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "only-devnet-reads-devnet-files",
      severity: "error",
      comment: "A protocol's devnet.ts is for the devnet; nothing that prices may lean on it.",
      from: { path: "^src/", pathNot: ["^src/devnet/", "/devnet\\.ts$", "\\.test\\.ts$"] },
      to: { path: "^src/protocols/[^/]+/devnet\\.ts$" },
    },
    {
      name: "devnet-plans-know-no-chain",
      severity: "error",
      comment:
        "What a design says of the devnet, its devnet.ts, needs the plan's words and prices alone: arrows go one way.",
      from: { path: "^src/(protocols/[^/]+/devnet\\.ts|devnet/plan/)", pathNot: "\\.test\\.ts$" },
      to: { path: "^src/(devnet|edge|service|http)/", pathNot: "^src/devnet/(plan|data)/" },
    },
    {
      name: "devnet-plans-know-no-design",
      severity: "error",
      comment: "The plan's words are the same for every design.",
      from: { path: "^src/devnet/plan/", pathNot: "\\.test\\.ts$" },
      to: { path: "^src/(protocols|chains)/" },
    },
    {
      name: "viem-by-its-parts",
      severity: "error",
      comment:
        "viem's main module loads twice as many files as its parts; each thread of the service would wait for them.",
      from: { path: "^src/", pathNot: "\\.(test|fixture)\\.ts$" },
      to: { path: "^node_modules/viem/_esm/index\\.js$", dependencyTypesNot: ["type-only"] },
    },
    { name: "nobody-imports-main", severity: "error", from: {}, to: { path: "^src/main\\.ts$" } },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-tests-in-production",
      severity: "error",
      from: { path: "^src/", pathNot: "\\.test\\.ts$" },
      to: { path: "\\.test\\.ts$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
