import { ENDPOINTS, GROUPS } from "../../test/docs/conformance.ts";
import type { Group } from "../../test/docs/conformance-rows.ts";

const HEAD = `# Conformance

What clients of this interface rely on, row by row, and the test that holds it. Each test runs in \`npm test\`; a row whose test is gone,
or whose parameter the [API reference](/docs/reference) does not list, fails the build. This page is printed from
\`test/docs/conformance.ts\` by \`npm run docs\`.
`;

/** docs/conformance.md */
export function conformancePage(): string {
  return `${HEAD}${[...ENDPOINTS, ...GROUPS].map(section).join("")}`;
}

function section({ title, rows }: Group): string {
  const lines = rows.map(({ subject, fact, tests }) => {
    const held = tests.map(([file, name]) => `${name.replaceAll("|", "\\|")} (\`${file}\`)`);
    return `| \`${subject}\` | ${fact} | ${held.join("; ")} |`;
  });
  return `\n## ${title}\n\n| what | rule | held by |\n|---|---|---|\n${lines.join("\n")}\n`;
}
