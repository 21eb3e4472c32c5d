// npm run package:check: packs the desktop app offline for the platforms that this machine can pack, and inspects the result:
// asset names, fuses, files (complete, without secrets, tests or sources). Then it runs this machine's package on the stand-in
// for Electron.
// Not checked, because they need downloaded tools: the NSIS and MSI installers (except the NSIS firewall script), the disk
// images and the AppImage runtime. The release workflow builds those.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { extractAll } from "@electron/asar";
import { type AfterPackContext, Arch } from "electron-builder";
import { inspectInstaller } from "./packaging/inspect-installer.ts";
import { inspectFiles, inspectFuses } from "./packaging/inspect-package.ts";
import { makeElectronDist } from "./packaging/make-electron-dist.ts";
import { type PackageRun, packageApp, packageRuns } from "./packaging/package-runs.ts";
import { runPackage } from "./packaging/run-package.ts";
import { ensure, explain } from "./testing/system-packages.ts";

const root = path.resolve(import.meta.dirname, "..");
const version = readFileSync(path.join(root, "VERSION"), "utf8").trim();
const electronVersion = readJson("electron/package.json").devDependencies?.["electron"] ?? "";
const work = mkdtempSync(path.join(tmpdir(), "comanda-package-"));
const problems: string[] = [];

process.chdir(root);
try {
  buildBundles();
  const config = readFileSync(path.join(root, "electron-builder.yml"), "utf8");
  if (!config.includes(`electronVersion: ${electronVersion}\n`))
    problems.push(`electron-builder.yml does not name Electron ${electronVersion}`);
  for (const run of packageRuns.filter(({ platform }) => platform !== "macos")) await check(run);
} finally {
  rmSync(work, { recursive: true, force: true });
}
for (const problem of problems) console.error(`- ${problem}`);
console.log(`package:check: ${problems.length === 0 ? "all good" : countOf(problems)}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function countOf({ length }: readonly string[]): string {
  return `${length} ${length === 1 ? "problem" : "problems"}`;
}

async function check(run: PackageRun): Promise<void> {
  const title = `${run.platform} ${run.arch}`;
  const output = path.join(work, title.replace(" ", "-"));
  const electronDist = makeElectronDist(path.join(work, `electron-${run.platform}`), run, electronVersion);
  const found: string[] = [];
  let packed = "";
  await packageApp(run, {
    dirOnly: true,
    output,
    electronDist,
    afterPack(context) {
      packed = context.appOutDir;
      found.push(...wrongNames(context), ...inspectInstaller(context.packager.config.nsis?.include, root));
    },
  });
  const notices = readFileSync(path.join(packed, "resources/THIRD-PARTY-NOTICES.txt"), "utf8");
  for (const name of ["react", "koa", "better-sqlite3", "electron-updater"]) {
    if (!notices.includes(`\n${name} `)) found.push(`THIRD-PARTY-NOTICES.txt does not mention ${name}`);
  }
  const unpacked = path.join(output, "unpacked");
  extractAll(path.join(packed, "resources/app.asar"), unpacked);
  const system = run.platform === "windows" ? "win32" : "linux";
  found.push(...inspectFiles(unpacked, version, `node_modules/better-sqlite3/prebuilds/${system}-${run.arch}.node`));
  found.push(
    ...(await inspectFuses(path.join(packed, run.platform === "windows" ? "Comanda Hub.exe" : "comanda-hub"))),
  );
  const ownSystem = system === process.platform && run.arch === process.arch;
  if (ownSystem) found.push(...(await start(unpacked)));
  console.log(
    `${title}: ${found.length === 0 ? "good" : countOf(found)}${ownSystem ? ", started on the stand-in for Electron" : ""}`,
  );
  problems.push(...found.map((problem) => `${title}: ${problem}`));
}

async function start(unpacked: string): Promise<string[]> {
  const chromium = ensure(["chromium"]);
  if (!chromium.ok) return [`the packed app could not be started. ${explain(chromium)}`];
  return runPackage(unpacked, path.join(work, "profile"));
}

/** Compares electron-builder's asset names with those that the update proxy knows. */
function wrongNames({ packager }: AfterPackContext): string[] {
  const assets = [
    ["nsis", "exe", Arch.x64, "x64", `comanda-hub_${version}_x64-setup.exe`],
    ["msi", "msi", Arch.x64, "x64", `comanda-hub_${version}_x64_en-US.msi`],
    ["appImage", "AppImage", Arch.x64, "amd64", `comanda-hub_${version}_amd64.AppImage`],
    ["appImage", "AppImage", Arch.arm64, "aarch64", `comanda-hub_${version}_aarch64.AppImage`],
    ["dmg", "dmg", Arch.arm64, "aarch64", `comanda-hub_${version}_aarch64.dmg`],
    ["dmg", "dmg", Arch.x64, "x86_64", `comanda-hub_${version}_x86_64.dmg`],
  ] as const;
  const own = process.env["ASSET_ARCH"];
  const wrong = assets.flatMap(([section, extension, arch, assetArch, expected]) => {
    process.env["ASSET_ARCH"] = assetArch;
    const name = packager.expandArtifactNamePattern(packager.config[section], extension, arch);
    return name === expected ? [] : [`an asset would be called ${name}; it must be ${expected}`];
  });
  process.env["ASSET_ARCH"] = own;
  return wrong;
}

function buildBundles(): void {
  for (const script of ["build/build-electron.ts", "build/draw-release-icons.ts"])
    run(process.execPath, [path.join(root, script)]);
  for (const page of ["renderer", "terminal"]) {
    if (!existsSync(path.join(root, "dist", page, "index.html"))) run("npm", ["run", "--silent", `build:${page}`]);
  }
}

function run(command: string, args: string[]): void {
  const done = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${done.stdout}${done.stderr}`);
}

function readJson(file: string): { devDependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(path.join(root, file), "utf8")) as { devDependencies?: Record<string, string> };
}
