// `npm run test:faults`: tests the product while programs, disks, clocks and the back-office fail. Ends with a table, and with
// exit code 1 if anything was found.
import buildHub from "../support/build-hub.ts";
import { faultsHelp, readFaultOptions } from "./options.ts";
import { type Finding, findingKinds } from "./part.ts";
import { parts } from "./parts.ts";
import { runPart, sumOf, type PartResult } from "./run-part.ts";

const COLUMNS = ["part", "rounds", "operations", ...findingKinds] as const;

const names = parts.map(({ name }) => name);
if (process.argv.includes("--help")) {
  console.log(faultsHelp(names));
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // Child programs end with this process (support/start-program.ts).
  process.on(signal, () => process.exit(130));
}
try {
  process.exit(await run());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function run(): Promise<number> {
  const options = readFaultOptions(process.argv.slice(2), names);
  buildHub();
  console.log(`seed ${options.seed}`);
  const results: PartResult[] = [];
  for (const part of parts.filter(({ name }) => options.only?.includes(name) !== false)) {
    const startedAt = performance.now();
    const rounds = options.rounds ?? (options.isShort ? part.rounds.short : part.rounds.long);
    const only = options.round === null ? {} : { only: options.round };
    const result = await runPart(part, { seed: options.seed, rounds, ...only }, (finding) => {
      console.log(describe(part.name, finding, options.seed));
    });
    results.push(result);
    console.log(`${part.name}: ${result.rounds} rounds in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
  printTable(results);
  return results.every(({ findings }) => findings.length === 0) ? 0 : 1;
}

function describe(part: string, finding: Finding & { round: number }, seed: string): string {
  const again = `npm run test:faults -- --only ${part} --seed ${seed} --round ${finding.round}`;
  return `${finding.kind.toUpperCase()} ${finding.count}  ${part} ${finding.round}: ${finding.description}\n    again: ${again}`;
}

function printTable(results: readonly PartResult[]): void {
  const rows = results.map((result) => [
    result.rounds,
    result.operations,
    ...findingKinds.map((kind) => sumOf(result, kind)),
  ]);
  const totals = rows.reduce((sums, row) => sums.map((sum, i) => sum + row[i]!));
  const lines = [...rows.map((row, i) => [results[i]!.name, ...row]), ["total", ...totals]];
  console.log();
  for (const line of [COLUMNS, ...lines]) {
    const [name, ...figures] = line;
    console.log(`${String(name).padEnd(14)}${figures.map((figure) => String(figure).padStart(11)).join("")}`);
  }
}
