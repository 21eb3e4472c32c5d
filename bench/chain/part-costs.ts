import { readFileSync } from "node:fs";
import path from "node:path";
import { openDatabase } from "../../headquarters/db/open.ts";
import { cpuMs, endedChildrenMs, parentOf, residentMiB } from "../lib/process-usage.ts";

const parts = ["headquarters", "nats", "database"] as const;

/** Returns a meter for the programs of headquarters at `dataDir`, including the database if it runs on this machine. */
export async function createPartCosts(options: { program(): number; dataDir: string; databaseUrl: string | null }) {
  const { dataDir, databaseUrl: url } = options;
  const server = url === null ? null : await openDatabase({ url, dataDir });
  const natsPid = (): number => Number(readFileSync(path.join(dataDir, "nats/nats.pid"), "utf8"));

  /** Returns each part's CPU time (ms) so far and its resident memory (MiB). */
  async function readAll(): Promise<Record<(typeof parts)[number], { cpu: number; memory: number } | null>> {
    const own = (pid: number) => ({ cpu: cpuMs(pid), memory: residentMiB(pid) });
    return { headquarters: own(options.program()), nats: own(natsPid()), database: await readServer() };
  }

  /** Sums PostgreSQL's sessions. Each is a process, whose CPU time is added to its parent's children when it ends. */
  async function readServer(): Promise<{ cpu: number; memory: number } | null> {
    const sessions = (await server?.query<{ pid: number }>("SELECT pid FROM pg_stat_activity")) ?? [];
    const pids = sessions.map(({ pid }) => pid);
    const [first] = pids;
    if (first === undefined) return null;
    const postmaster = parentOf(first);
    const cpu = totalOf(pids, cpuMs) + cpuMs(postmaster) + endedChildrenMs(postmaster);
    return { cpu, memory: totalOf(pids, residentMiB) };
  }

  return {
    /** Runs `work` and prints a line for each part. */
    async measure(work: () => Promise<void>): Promise<void> {
      const before = await readAll();
      const from = performance.now();
      await work();
      const ms = performance.now() - from;
      const after = await readAll();
      for (const part of parts) {
        const [start, end] = [before[part], after[part]];
        if (start === null || end === null) continue;
        const share = ((end.cpu - start.cpu) / ms) * 100;
        console.log(`${part}: ${share.toFixed(1)} % of a core, ${Math.round(end.memory)} MiB`);
      }
    },
    close: async () => server?.close(),
  };
}

function totalOf(pids: readonly number[], measure: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + (measure(pid) || 0), 0);
}
