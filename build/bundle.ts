import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { build, type InlineConfig } from "vite";
import { apiDocuments } from "../hub/build/api-documents.ts";
import { docsRenderer } from "../hub/build/docs-renderer.ts";

const root = path.resolve(import.meta.dirname, "..");

/** Settings of every bundle: no configuration files, readable output. */
export const common = {
  root,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: "warn",
  build: { target: "es2024", minify: false, sourcemap: false, emptyOutDir: false, reportCompressedSize: false },
} satisfies InlineConfig;

/**
 * Bundles programs for Node with all packages except `external`, which stay beside the bundle. `entries` are paths below the
 * repository; each becomes a file in `outDir`. With `codeSplitting`, dynamic imports become separate files, read on demand.
 */
export async function bundleForNode(options: {
  entries: Readonly<Record<string, string>>;
  outDir: string;
  external: readonly string[];
  format?: "es" | "cjs";
  extension?: string;
  codeSplitting?: boolean;
}): Promise<void> {
  const { entries, outDir, format = "es", extension = "js", codeSplitting = false } = options;
  const external = [...options.external];
  const input = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, path.join(root, entry)]));
  await build({
    ...common,
    // Koa's parts bring three copies of a large table of media types. One copy saves a tenth of the CPU time of a start.
    resolve: { alias: { "mime-types": fromKoa("mime-types"), "mime-db": fromKoa("mime-db") } },
    ssr: { noExternal: true, external },
    build: {
      ...common.build,
      ssr: true,
      outDir,
      rolldownOptions: {
        external,
        input,
        // A package deep below Koa names functions by `eval`. It never runs in the page.
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `[name]-[hash].${extension}`,
          codeSplitting,
          comments: false,
        },
        checks: { eval: false },
      },
    },
  });
}

function fromKoa(name: string): string {
  return createRequire(createRequire(import.meta.url).resolve("koa")).resolve(name);
}

/** Writes the files that a bundled hub reads about itself. */
export async function describeHub(outDir: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(path.join(root, "hub/package.json"), "utf8")) as { version: string };
  writeFileSync(path.join(outDir, "package.json"), JSON.stringify({ type: "module", version }));
  mkdirSync(path.join(outDir, "docs/reference"), { recursive: true });
  for (const name of servedDocuments) copyFileSync(path.join(root, "docs", name), path.join(outDir, "docs", name));
  writeFileSync(path.join(outDir, "docs/terminal-api.json"), apiDocuments().terminal);
  writeFileSync(path.join(outDir, "docs/scalar.js"), await docsRenderer());
}

/** Returns the temporary folder for a new bundle that will replace `folder`. */
export function freshFolder(folder: string): string {
  return `${folder}.${process.pid}`;
}

/** Replaces `folder` by the new bundle, so that a program started meanwhile finds a complete one. */
export function putInPlace(folder: string): void {
  const old = `${freshFolder(folder)}.old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(freshFolder(folder), folder);
  rmSync(old, { recursive: true, force: true });
}

/** The files of `docs/` that the hub serves. */
const servedDocuments = ["openapi.json", "asyncapi.yaml", "reference/index.html", "reference/page.js"];
