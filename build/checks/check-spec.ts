// Fails if a test or docs/security.md cites a rule that protocol/spec lacks, if a rule number is used twice, if no test cites a
// rule that needs one, or if protocol/SPEC.md does not list a file of rules.
import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const specDir = path.join(root, "protocol", "spec");
const problems: string[] = [];
const rules = new Set<string>();

const contents = readFileSync(path.join(root, "protocol", "SPEC.md"), "utf8");

for (const file of readdirSync(specDir)) {
  const prefix = path.basename(file, ".md");
  if (!contents.includes(`(spec/${file})`)) problems.push(`protocol/SPEC.md does not list ${file}`);
  for (const match of readFileSync(path.join(specDir, file), "utf8").matchAll(/^- \*\*([A-Z]+-\d+[a-z]?)\*\*/gm)) {
    const rule = match[1] ?? "";
    if (rules.has(rule)) problems.push(`${rule} is numbered twice`);
    if (!rule.startsWith(`${prefix}-`)) problems.push(`${rule} stands in ${file}`);
    rules.add(rule);
  }
}

const cited = new Set<string>();
const elsewhere = ["node_modules", "dist", ".cache", ".git"].map((folder) => `**/${folder}`);
for (const file of globSync("**/*.{test,spec}.{ts,tsx}", { cwd: root, exclude: elsewhere })) {
  for (const match of readFileSync(path.join(root, file), "utf8").matchAll(
    /\[([A-Z]+-\d+[a-z]?(?:, ?[A-Z]+-\d+[a-z]?)*)\]/g,
  )) {
    for (const rule of (match[1] ?? "").split(/, ?/)) {
      cited.add(rule);
      if (!rules.has(rule)) problems.push(`${file} cites ${rule}, which protocol/spec does not have`);
    }
  }
}
for (const [rule] of readFileSync(path.join(root, "docs", "security.md"), "utf8").matchAll(/\b[A-Z]+-\d+\b/g)) {
  if (!rules.has(rule)) problems.push(`docs/security.md names ${rule}, which protocol/spec does not have`);
}
for (const rule of rules) if (!cited.has(rule)) problems.push(`${rule} has no test`);

for (const problem of new Set(problems)) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${rules.size} rules, each shown by a test`);
