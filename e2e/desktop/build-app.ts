import { spawnSync } from "node:child_process";
import path from "node:path";
import { chooseRuntime, root } from "./runtime.ts";

/** Playwright's global setup: bundles the app once and prints on which runtime the desktop specs run. */
export default function buildApp(): void {
  process.stdout.write(`desktop specs run on ${chooseRuntime()}\n`);
  const built = spawnSync(process.execPath, [path.join(root, "build/build-electron.ts")], {
    cwd: root,
    encoding: "utf8",
  });
  if (built.status !== 0) throw new Error(`the app could not be bundled:\n${built.stderr}`);
}
