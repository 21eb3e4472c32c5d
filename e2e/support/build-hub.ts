import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

/** Vitest's global setup: bundles the hub like `npm run hub` if its sources have changed. */
export default function buildHub(): void {
  build("hub-alone");
}

/** Builds a program as its npm script does; throws if the build fails. */
export function build(target: "hub-alone" | "test"): void {
  const bootstrap = path.join(root, "build/bootstrap.mjs");
  const result = spawnSync(process.execPath, [bootstrap, target, "--keep-packages"], { cwd: root, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`${target} could not be built:\n${result.stderr}`);
}
