const layer = (name, from, allowed, comment) => ({
  name,
  severity: "error",
  comment,
  from: { path: `^src/${from}/`, pathNot: ["\\.test\\.ts$", "/devnet\\.ts$", "/arbitrary\\.ts$"] },
  to: { path: "^src/", pathNot: allowed.map((room) => `^src/${room}`) },
});

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
    {
      name: "one-folder-a-protocol",
      severity: "error",
      comment: "A protocol may not reach into its neighbour; shared maths moves down to core/math.",
      from: { path: "^src/protocols/([^/]+)/" },
      to: { path: "^src/protocols/([^/]+)/", pathNot: "^src/protocols/$1/" },
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
