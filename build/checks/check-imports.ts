// Fails on forbidden imports between packages or layers, on circular imports, or if nothing was read. `check-imports.ts FOLDER`
// checks another tree of the same shape.
import { existsSync } from "node:fs";
import path from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { ruleArithmeticIn } from "./rule-arithmetic.ts";
import { checkedFolders, importRules } from "./import-rules.ts";
import { foldersWithoutLayer, knownBreaches } from "./layers.ts";

const repo = path.resolve(import.meta.dirname, "../..");
const root = path.resolve(process.argv[2] ?? repo);
/** A cruiser that cannot read TypeScript finds no modules, and so no violations. */
const minModules = root === repo ? 600 : 1;

const unknown = foldersWithoutLayer(root);
for (const folder of unknown) console.error(`${folder} has no layer: give it one in build/checks/layers.ts`);

const { output } = await cruise(
  checkedFolders.filter((name) => existsSync(path.join(root, name))),
  {
    ...importRules.options,
    ruleSet: { forbidden: importRules.forbidden },
    validate: true,
    baseDir: root,
  } as never,
);
const { summary } = output as ICruiseResult;
const { totalCruised: modules, totalDependenciesCruised: imports = 0, violations } = summary;
if (modules < minModules || imports < minModules) {
  console.error(`Only ${modules} modules with ${imports} imports were read: nothing was checked.`);
  process.exit(1);
}
const reports = new Set(violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`));
const fixedBreaches = knownBreaches
  // A test's tree has few of these files.
  .filter(({ from }) => root === repo || existsSync(path.join(root, from)))
  .filter(({ report }) => !reports.has(report));
for (const { report } of fixedBreaches)
  console.error(`${report} is mended: take it off the list in build/checks/layers.ts`);
for (const { report } of knownBreaches) reports.delete(report);
for (const report of reports) console.error(report);
// A test's tree has none of the excepted files.
const arithmetic = ruleArithmeticIn(root, root === repo ? undefined : {});
for (const place of arithmetic) console.error(place);
if ([...reports, ...unknown, ...fixedBreaches, ...arithmetic].length > 0) process.exit(1);
console.log(`imports are in order: ${modules} modules, ${imports} imports`);
