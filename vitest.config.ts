import { defineConfig } from "vitest/config";

const EVERY = [
  "src/**/*.test.ts",
  "web/src/**/*.test.ts",
  "contracts/**/*.test.ts",
  "test/**/*.test.ts",
  "bench/**/*.test.ts",
  "packages/*/src/**/*.test.ts",
];
const NONE = ["**/node_modules/**", "test/browser/**"];
const COMPILERS = ["contracts/**/*.test.ts", "test/contracts/artifact.test.ts"];
const PROCESSES = [
  "src/devnet/**/*.test.ts",
  "src/protocols/{bytecode,vectors}.test.ts",
  "test/{contracts,faults,process,sdk}/**/*.test.ts",
];

/** The files of a worker share its modules, which halves what they cost: none keeps anything in a module that another reads. */
const SHARED = { isolate: false };

/** Vitest starts projects in the order of their names, so the longest files begin first and none is left for the end. */
export default defineConfig({
  test: {
    maxWorkers: "100%",
    // What hangs ends; how fast it is on a busy machine is not asked here.
    testTimeout: 300_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
    // Node runs this TypeScript as it stands; no test replaces a module, which is what the runner of Vite would be for.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ["test/support/properties.ts"],
    projects: [
      { extends: true, test: { name: "1-compilers", include: COMPILERS, exclude: NONE } },
      {
        extends: true,
        test: { name: "2-processes", ...SHARED, include: PROCESSES, exclude: [...NONE, ...COMPILERS] },
      },
      {
        extends: true,
        test: { name: "3-plain", ...SHARED, include: EVERY, exclude: [...NONE, ...COMPILERS, ...PROCESSES] },
      },
    ],
  },
});
