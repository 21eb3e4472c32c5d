import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

/** Global setup of both test runners: bundles the hub, as `npm run hub` does, when its sources have changed. */
export default function buildHub(): void {
  const bootstrap = path.join(root, "build/bootstrap.mjs");
  const built = spawnSync(process.execPath, [bootstrap, "hub-alone"], { cwd: root, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`the hub could not be built:\n${built.stderr}`);
}
