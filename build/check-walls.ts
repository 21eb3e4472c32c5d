// Fails when a room imports what it may not, when files import each other in a circle, or when nothing was looked at.
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { walls } from "./walls.ts";

const rooms = ["protocol", "clients", "hub", "updater", "electron", "renderer", "backoffice-stub"];
const { output } = await cruise(rooms, {
  ...walls.options,
  ruleSet: { forbidden: walls.forbidden },
  validate: true,
} as never);
const { summary } = output as ICruiseResult;

// A cruiser that cannot read TypeScript looks at nothing and is content.
if (
  summary.totalCruised < 150 ||
  summary.totalDependenciesCruised === undefined ||
  summary.totalDependenciesCruised < 300
) {
  console.error(`Only ${summary.totalCruised} modules were looked at: the walls were not checked.`);
  process.exit(1);
}
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
if (summary.violations.length > 0) process.exit(1);
console.log(`walls hold: ${summary.totalCruised} modules, ${summary.totalDependenciesCruised} imports`);
