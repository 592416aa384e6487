/**
 * Holds the arrows of .dependency-cruiser.cjs, and refuses a run that saw too little to mean anything:
 * a cruiser that resolves no module finds no violation either.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

type Report = {
  modules: unknown[];
  summary: { violations: { rule: { name: string }; from: string; to: string }[] };
};

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);
const { stdout, stderr, status } = spawnSync("depcruise", ["src", "--output-type", "json"], {
  encoding: "utf8",
  maxBuffer: 1 << 28,
});
if (!stdout.startsWith("{")) {
  process.stderr.write(`The dependency cruiser gave no report (exit ${status}):\n${stderr}\n`);
  process.exit(1);
}
const report = JSON.parse(stdout) as Report;
if (report.modules.length < files.length) {
  process.stderr.write(
    `Only ${report.modules.length} modules were cruised of ${files.length} files: nothing is proven.\n`,
  );
  process.exit(1);
}
for (const { rule, from, to } of report.summary.violations)
  process.stdout.write(`${rule.name}: ${from} → ${to}\n`);
process.stdout.write(
  `${report.modules.length} modules, ${report.summary.violations.length} arrows against the rules\n`,
);
process.exit(report.summary.violations.length > 0 ? 1 : 0);
