import { cpus } from "node:os";

const SAMPLE_MS = 500;

/** Returns the share of all CPUs (0 to 1) that other programs use while this one and its children are idle. */
export async function foreignLoad(): Promise<number> {
  const before = times();
  await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  const after = times();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function times(): { idle: number; all: number } {
  const total = { idle: 0, all: 0 };
  for (const { times: each } of cpus()) {
    total.idle += each.idle;
    total.all += each.user + each.nice + each.sys + each.irq + each.idle;
  }
  return total;
}
