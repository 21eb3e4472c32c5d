import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding, FindingKind, Part } from "./part.ts";
import { createRandom } from "./random.ts";

export interface PartOptions {
  seed: string;
  rounds: number;
  /** Runs only this round. */
  only?: number;
}

export interface PartResult {
  name: string;
  rounds: number;
  operations: number;
  /** Findings with the round of each. */
  findings: (Finding & { round: number })[];
}

/**
 * Runs the rounds of a part. A round that throws, or a part that cannot be opened, counts as broken. Calls `onFinding` at once
 * for each finding.
 */
export async function runPart(
  part: Part,
  options: PartOptions,
  onFinding: (finding: PartResult["findings"][number]) => void = () => {},
): Promise<PartResult> {
  const result: PartResult = { name: part.name, rounds: 0, operations: 0, findings: [] };
  const folder = mkdtempSync(join(tmpdir(), `comanda-faults-${part.name}-`));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", removeFolder);
  const note = (round: number, kind: FindingKind, description: string, count: number): void => {
    const finding = { round, kind, description, count };
    result.findings.push(finding);
    onFinding(finding);
  };
  const shared = { rounds: options.rounds, folder, random: createRandom(`${options.seed}/${part.name}`) };
  const opened = await part.open(shared).catch((error: unknown) => {
    note(0, "broken", `the part could not be opened: ${messageOf(error)}`, 1);
    return null;
  });
  if (opened === null) {
    removeFolder();
    process.off("exit", removeFolder);
    return result;
  }
  const indices = options.only === undefined ? Array.from({ length: options.rounds }, (_, i) => i) : [options.only];
  const runNext = async (): Promise<void> => {
    for (let index = indices.shift(); index !== undefined; index = indices.shift()) {
      const own = join(folder, `round-${index}`);
      mkdirSync(own);
      try {
        await opened.run({
          index,
          random: createRandom(`${options.seed}/${part.name}/${index}`),
          folder: own,
          addOperations: (operations) => void (result.operations += operations),
          report: (kind, description, count = 1) => note(index, kind, description, count),
        });
      } catch (error) {
        note(index, "broken", messageOf(error), 1);
      }
      rmSync(own, { recursive: true, force: true, maxRetries: 3 });
      result.rounds += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: part.concurrency }, runNext));
  } finally {
    await opened.close();
    removeFolder();
    process.off("exit", removeFolder);
  }
  return result;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Returns the number of findings of one kind. */
export function sumOf(result: PartResult, kind: FindingKind): number {
  return result.findings.filter((finding) => finding.kind === kind).reduce((sum, { count }) => sum + count, 0);
}
