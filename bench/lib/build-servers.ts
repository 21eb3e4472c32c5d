import { join } from "node:path";
import { bundleForNode } from "../../build/bundle.ts";
import { repoRoot } from "./program.ts";

const folder = join("bench", "servers");
const built = join("dist", "bench");
const programs = ["limit", "socket-io", "koa-orders", "front-office", "raw-drain"] as const;

export type ServerName = (typeof programs)[number];

/** Where a competitor's program lies once it is built, below the repository. */
export const serverScript = (name: ServerName): string => join(built, `${name}.js`);

/** Bundles what stands beside the hub as the hub is bundled: neither side pays for stripping types at its start. */
export async function buildServers(): Promise<void> {
  const entries = Object.fromEntries(programs.map((name) => [name, join(folder, `${name}.ts`)]));
  await bundleForNode({ entries, outDir: join(repoRoot, built), external: ["better-sqlite3"], codeSplitting: true });
}
