import path from "node:path";
import { dropMissingCertificate } from "./certificate.ts";
import { writeNotices } from "./write-notices.ts";
import { type AfterPackContext, Arch, Platform, build } from "electron-builder";

export interface PackageRun {
  platform: "windows" | "linux" | "macos";
  arch: "x64" | "arm64";
  targets: string[];
  /** The processor's name in the asset's file name, where electron-builder uses another. */
  assetArch: string;
}

/** One run per platform and processor, because a run has one ASSET_ARCH. */
export const packageRuns: readonly PackageRun[] = [
  { platform: "windows", arch: "x64", targets: ["nsis", "msi"], assetArch: "x64" },
  { platform: "linux", arch: "x64", targets: ["AppImage"], assetArch: "amd64" },
  { platform: "linux", arch: "arm64", targets: ["AppImage"], assetArch: "aarch64" },
  { platform: "macos", arch: "arm64", targets: ["dmg"], assetArch: "aarch64" },
  { platform: "macos", arch: "x64", targets: ["dmg"], assetArch: "x86_64" },
];

const platforms = { windows: Platform.WINDOWS, linux: Platform.LINUX, macos: Platform.MAC };
const root = path.resolve(import.meta.dirname, "../..");

export interface PackageOptions {
  /** Builds only the folder that an installer would contain. */
  dirOnly?: boolean;
  output?: string;
  /** A folder to use as Electron's distribution, if the real one must not be downloaded. */
  electronDist?: string;
  /** Called with the packed folder and the packager. */
  afterPack?: (context: AfterPackContext) => void;
}

/** Packages for one platform and processor. Resolves with the paths of the created files. */
export async function packageApp(
  run: PackageRun,
  { dirOnly = false, output, electronDist, afterPack }: PackageOptions,
): Promise<string[]> {
  process.env["ASSET_ARCH"] = run.assetArch;
  dropMissingCertificate(process.env);
  writeNotices(path.join(root, "dist/notices/THIRD-PARTY-NOTICES.txt"));
  return build({
    projectDir: root,
    publish: "never",
    targets: platforms[run.platform].createTarget(dirOnly ? ["dir"] : run.targets, Arch[run.arch]),
    config: {
      extends: path.join(root, "electron-builder.yml"),
      ...(output === undefined ? {} : { directories: { output } }),
      ...(electronDist === undefined ? {} : { electronDist }),
      ...(afterPack === undefined ? {} : { afterPack }),
    },
  });
}
