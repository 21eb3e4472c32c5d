import { readFileSync } from "node:fs";
import path from "node:path";
import { openDatabase } from "../../headquarters/db/open.ts";
import { cpuMs, residentMiB } from "../lib/process-usage.ts";

const parts = ["headquarters", "nats", "database"] as const;

/** What the programs of headquarters at `dataDir` cost while something is done. The database is one only where it is a server on this machine. */
export async function createPartCosts(given: { program(): number; dataDir: string; databaseUrl: string | null }) {
  const { dataDir, databaseUrl: url } = given;
  const server = url === null ? null : await openDatabase({ url, dataDir });
  const natsPid = (): number => Number(readFileSync(path.join(dataDir, "nats/nats.pid"), "utf8"));

  async function pids(): Promise<Record<(typeof parts)[number], number[]>> {
    const sessions = (await server?.query<{ pid: number }>("SELECT pid FROM pg_stat_activity")) ?? [];
    return { headquarters: [given.program()], nats: [natsPid()], database: sessions.map(({ pid }) => pid) };
  }

  return {
    /** Writes a line for each part. */
    async measure(work: () => Promise<void>): Promise<void> {
      const of = await pids();
      const before = parts.map((part) => totalOf(of[part], cpuMs));
      const from = performance.now();
      await work();
      const ms = performance.now() - from;
      for (const [index, part] of parts.entries()) {
        if (of[part].length === 0) continue;
        const share = ((totalOf(of[part], cpuMs) - (before[index] ?? 0)) / ms) * 100;
        console.log(`${part}: ${share.toFixed(1)} % of a core, ${Math.round(totalOf(of[part], residentMiB))} MiB`);
      }
    },
    close: async () => server?.close(),
  };
}

function totalOf(pids: readonly number[], measure: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + (measure(pid) || 0), 0);
}
