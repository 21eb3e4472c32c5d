import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { build, type InlineConfig } from "vite";
import { apiDocuments } from "../hub/build/api-documents.ts";
import { docsRenderer } from "../hub/build/docs-renderer.ts";

const root = path.resolve(import.meta.dirname, "..");

/** What every bundle has in common: no configuration from files, readable output. */
export const common = {
  root,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: "warn",
  build: { target: "es2024", minify: false, sourcemap: false, emptyOutDir: false, reportCompressedSize: false },
} satisfies InlineConfig;

/**
 * Bundles programs for Node, with every package but those named in `external`, which stay beside the bundle. `entries`
 * are paths below the repository; each becomes a file of its own name in `outDir`. With `codeSplitting`, what is
 * imported dynamically is a file of its own, read when it is needed.
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
    // Koa's parts bring three copies of a large table of media types; one saves a tenth of the CPU time of a start.
    resolve: { alias: { "mime-types": fromKoa("mime-types"), "mime-db": fromKoa("mime-db") } },
    ssr: { noExternal: true, external },
    build: {
      ...common.build,
      ssr: true,
      outDir,
      rolldownOptions: {
        external,
        input,
        // A package deep below Koa names functions by `eval`; it never runs in the page.
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

/** Leaves beside a bundled hub what it reads of itself. */
export async function describeHub(outDir: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(path.join(root, "hub/package.json"), "utf8")) as { version: string };
  writeFileSync(path.join(outDir, "package.json"), JSON.stringify({ type: "module", version }));
  mkdirSync(path.join(outDir, "docs/reference"), { recursive: true });
  for (const name of servedDocuments) copyFileSync(path.join(root, "docs", name), path.join(outDir, "docs", name));
  writeFileSync(path.join(outDir, "docs/terminal-api.json"), apiDocuments().terminal);
  writeFileSync(path.join(outDir, "docs/scalar.js"), await docsRenderer());
}

/** Where a bundle is made that is to take the place of the one in `folder`. */
export function freshFolder(folder: string): string {
  return `${folder}.${process.pid}`;
}

/**
 * Puts the bundle that was made beside `folder` in its place: a program that is started meanwhile finds a whole one.
 */
export function putInPlace(folder: string): void {
  const old = `${freshFolder(folder)}.old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(freshFolder(folder), folder);
  rmSync(old, { recursive: true, force: true });
}

/** What the hub serves of `docs/`. */
const servedDocuments = ["openapi.json", "asyncapi.yaml", "reference/index.html", "reference/page.js"];
