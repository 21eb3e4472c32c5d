// Packages the desktop app: node build/package-app.ts windows|linux|macos x64|arm64 [--dir]
// Builds the bundles first. Publishing and signing are the release workflow's last job.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { packageApp, packageRuns } from "./packaging/package-runs.ts";

const root = path.resolve(import.meta.dirname, "..");
const [platform, arch, ...rest] = process.argv.slice(2);
const run = packageRuns.find((candidate) => candidate.platform === platform && candidate.arch === arch);

if (run === undefined) {
  const supported = packageRuns.map((candidate) => `${candidate.platform} ${candidate.arch}`).join(", ");
  console.error(`There is no package for "${platform ?? ""} ${arch ?? ""}"; allowed are ${supported}.`);
  process.exit(1);
}
for (const script of ["build/build-electron.ts", "build/draw-release-icons.ts"]) {
  const done = spawnSync(process.execPath, [path.join(root, script)], { cwd: root, stdio: "inherit" });
  if (done.status !== 0) process.exit(1);
}
await packageApp(run, { dirOnly: rest.includes("--dir") });
