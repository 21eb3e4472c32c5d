import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";

const ownPackages = path.resolve(import.meta.dirname, "../../node_modules");

/** Paths that no package may contain. */
const unwantedPaths: [RegExp, string][] = [
  [/\.(test|spec)\.[cm]?[jt]sx?$/, "a test"],
  [
    /(^|\/)(test|tests|e2e|bench|docs|protocol|rules|updater|hub|electron|renderer|terminal)\/.*\.tsx?$/,
    "a source file",
  ],
  [/\.tsx?$/, "a source file"],
  [/\.map$/, "a source map"],
  [/\.(key|pem|p12|pfx)$/, "a key"],
  [/(^|\/)\.env/, "settings of this machine"],
  [/\.sqlite/, "a data file"],
];

/** Content that no file may have. */
const secrets = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /minisign (encrypted )?secret key\s*\n/,
  // The same in base64, the format of key files.
  /dW50cnVzdGVkIGNvbW1lbnQ6I(G1pbmlzaWdu|HJzaWdu)I(HNlY3JldCBrZX|GVuY3J5cHRlZCBzZWNyZX)/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
];

/** Needed to build a package, not to run it. */
const buildOnly = new Set(["node-addon-api"]);

/** Returns all files below a folder, as relative paths with slashes. */
export function listFiles(folder: string, below = ""): string[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(below, entry.name);
    return entry.isDirectory() ? listFiles(folder, name) : [name];
  });
}

/** Returns the compressed files that are missing for larger assets of the screens. */
function uncompressedAssets(folder: string, files: readonly string[]): string[] {
  return files
    .filter((file) => /^dist\/(renderer|terminal)\/assets\/.*\.(js|css)$/.test(file))
    .filter((file) => statSync(path.join(folder, file)).size >= 1_000)
    .flatMap((file) => [`${file}.br`, `${file}.gz`])
    .filter((file) => !files.includes(file));
}

/** Returns problems with the files of an unpacked package, one sentence each. */
export function inspectFiles(folder: string, version: string, nativeFile: string): string[] {
  const files = listFiles(folder);
  const needed = [
    "package.json",
    "dist/electron/main.js",
    "dist/electron/job-thread.js",
    "dist/electron/practice-thread.js",
    "dist/electron/preload.cjs",
    "dist/electron/docs/openapi.json",
    "dist/electron/docs/terminal-api.json",
    "dist/electron/docs/asyncapi.yaml",
    "dist/electron/docs/reference/index.html",
    "dist/electron/docs/reference/page.js",
    "dist/electron/docs/scalar.js",
    "dist/renderer/index.html",
    "dist/terminal/index.html",
  ];
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    main?: string;
    version?: string;
  };
  const natives = files.filter((file) => file.endsWith(".node"));
  return [
    ...needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
    ...uncompressedAssets(folder, files).map((file) => `${file} is missing`),
    ...files.flatMap((file) =>
      unwantedPaths.filter(([pattern]) => pattern.test(file)).map(([, reason]) => `${file} is ${reason}`),
    ),
    ...files
      .filter((file) => !/^(package\.json|dist\/(electron|renderer|terminal)\/|node_modules\/)/.test(file))
      .map((file) => `${file} does not belong in the package`),
    ...files.flatMap((file) =>
      holdsSecret(path.join(folder, file)) ? [`${file} holds something that looks like a secret`] : [],
    ),
    ...(natives.join() === nativeFile
      ? []
      : [`the native files are ${natives.join(", ") || "missing"}; expected is ${nativeFile} alone`]),
    ...(manifest.main === "dist/electron/main.js" ? [] : [`package.json starts ${manifest.main ?? "nothing"}`]),
    ...(manifest.version === version
      ? []
      : [`package.json says version ${manifest.version ?? "none"}, VERSION says ${version}`]),
    ...missingPackages(folder, files),
  ];
}

/** Returns packages that are needed and missing. */
function missingPackages(folder: string, files: string[]): string[] {
  const main = readFileSync(path.join(folder, "dist/electron/main.js"), "utf8");
  const imported = [...main.matchAll(/^\s*(?:import|export)\b[^"'\n]*["']([^"'.\n][^"'\n]*)["']/gm)].map(
    ([, name = ""]) => name,
  );
  const bare = imported.filter(
    (name) => !name.startsWith("node:") && name !== "electron" && existsSync(path.join(ownPackages, name)),
  );
  const byMain = bare
    .filter((name) => !files.includes(`node_modules/${name}/package.json`))
    .map((name) => `main.js imports ${name}, which is missing`);
  const manifests = files.filter((file) => /node_modules\/[^/]+\/package\.json$/.test(file));
  return byMain.concat(
    manifests.flatMap((file) => {
      const { dependencies = {} } = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as {
        dependencies?: Record<string, string>;
      };
      const names = Object.keys(dependencies).filter((name) => !buildOnly.has(name));
      return names
        .filter((name) => !isFound(folder, path.dirname(file), name))
        .map((name) => `${path.dirname(file)} needs ${name}, which is missing`);
    }),
  );
}

function isFound(folder: string, from: string, name: string): boolean {
  for (let at = from; ; at = path.posix.dirname(at)) {
    if (existsSync(path.join(folder, at, "node_modules", name, "package.json"))) return true;
    if (at === ".") return false;
  }
}

function holdsSecret(file: string): boolean {
  if (file.endsWith(".node") || statSync(file).size > 64 << 20) return false;
  const text = readFileSync(file, "latin1");
  return secrets.some((pattern) => pattern.test(text));
}

const expectedFuses: [FuseV1Options, boolean][] = [
  [FuseV1Options.RunAsNode, false],
  [FuseV1Options.EnableCookieEncryption, true],
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable, false],
  [FuseV1Options.EnableNodeCliInspectArguments, false],
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation, true],
  [FuseV1Options.OnlyLoadAppFromAsar, true],
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot, false],
  [FuseV1Options.GrantFileProtocolExtraPrivileges, false],
];

/** Returns the fuses of a packed program that have the wrong state. */
export async function inspectFuses(program: string): Promise<string[]> {
  const wire = await getCurrentFuseWire(program);
  return expectedFuses
    .filter(([fuse, expected]) => wire[fuse] !== (expected ? FuseState.ENABLE : FuseState.DISABLE))
    .map(([fuse, expected]) => `the fuse ${FuseV1Options[fuse]} should be ${expected ? "on" : "off"}`);
}
