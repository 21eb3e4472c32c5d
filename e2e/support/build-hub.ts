import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

/** Vitest's global setup: bundles the hub, as `npm run hub` does, when its sources have changed. */
export default function buildHub(): void {
  build("hub-alone");
}

/** What a program needs, as its npm script builds it. */
export function build(wanted: "hub-alone" | "test"): void {
  const bootstrap = path.join(root, "build/bootstrap.mjs");
  const built = spawnSync(process.execPath, [bootstrap, wanted, "--keep-packages"], { cwd: root, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`${wanted} could not be built:\n${built.stderr}`);
}
