// Fails when a package or a layer imports what it may not, when files import each other in a circle, or when nothing was
// read. `check-imports.ts FOLDER` checks another tree of the same shape.
import { existsSync } from "node:fs";
import path from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { moneyArithmeticIn } from "./money-arithmetic.ts";
import { checkedFolders, foldersWithoutLayer, importRules } from "./import-rules.ts";

const repo = path.resolve(import.meta.dirname, "..");
const root = path.resolve(process.argv[2] ?? repo);
/** A cruiser that cannot read TypeScript finds no modules, and no fault in them. */
const fewestModules = root === repo ? 600 : 1;

const unknown = foldersWithoutLayer(path.join(root, "hub"));
for (const folder of unknown) console.error(`hub/${folder} has no layer: give it one in build/import-rules.ts`);

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
if (modules < fewestModules || imports < fewestModules) {
  console.error(`Only ${modules} modules with ${imports} imports were read: nothing was checked.`);
  process.exit(1);
}
for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} → ${to}`);
// A tree of a test has none of the files that are excepted.
const arithmetic = moneyArithmeticIn(root, root === repo ? undefined : {});
for (const place of arithmetic) console.error(place);
if (violations.length > 0 || unknown.length > 0 || arithmetic.length > 0) process.exit(1);
console.log(`imports are in order: ${modules} modules, ${imports} imports`);
