import { join } from "node:path";
import { bundleForNode } from "../../build/bundle.ts";
import { repoRoot } from "./program.ts";

const folder = join("bench", "servers");
const built = join("dist", "bench");
const programs = ["limit", "socket-io", "koa-orders", "front-office", "raw-drain"] as const;

export type ServerName = (typeof programs)[number];

/** Returns the path of a competitor's bundled program, relative to the repository. */
export const serverScript = (name: ServerName): string => join(built, `${name}.js`);

/** Bundles the competitors as the hub is bundled, so that neither side strips types at its start. */
export async function buildServers(): Promise<void> {
  const entries = Object.fromEntries(programs.map((name) => [name, join(folder, `${name}.ts`)]));
  await bundleForNode({ entries, outDir: join(repoRoot, built), external: ["better-sqlite3"], codeSplitting: true });
}
