import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { build, type InlineConfig, type Plugin } from "vite";

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
  plugins?: Plugin[];
}): Promise<void> {
  const { entries, outDir, format = "es", extension = "js", codeSplitting = false, plugins = [] } = options;
  const external = [...options.external];
  const input = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, path.join(root, entry)]));
  await build({
    ...common,
    // Koa and its parts bring three copies of the same large table of media types: theirs is Koa's own.
    resolve: { alias: { "mime-types": fromKoa("mime-types"), "mime-db": fromKoa("mime-db") } },
    ssr: { noExternal: true, external },
    plugins,
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

/** What makes a bundle of the product small in memory and quick to start. */
export const lean = (): Plugin[] => [fewMediaTypes(), asciiOnly(), builtinsByNeed()];

/** One character outside Latin-1 doubles what the engine keeps of a source for as long as the program runs. */
function asciiOnly(): Plugin {
  return {
    name: "ascii-only",
    renderChunk: (code) => ({
      code: code.replaceAll(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
      map: null,
    }),
  };
}

/**
 * Importing a built-in module reads every one of its exports, and two of `node:http` load a whole HTTP client that
 * nobody asked for. Taking the named ones alone starts the hub 15 ms sooner and leaves 5 MiB free.
 */
function builtinsByNeed(): Plugin {
  return {
    name: "builtins-by-need",
    renderChunk: (code) => ({
      code: code.replaceAll(/^import (.+) from ("node:[\w/]+");$/gm, (_, names: string, module: string) => {
        // `fs`, `* as fs`, `{ a, b as c }`, or the first with the last.
        const [, whole, named] = /^(?:\* as )?(\w+)?(?:, )?(\{.+\})?$/.exec(names) ?? [];
        const targets = [whole, named?.replaceAll(" as ", ": ")].filter((target) => target !== undefined);
        return targets.map((target) => `const ${target} = process.getBuiltinModule(${module});`).join("\n");
      }),
      map: null,
    }),
  };
}

/** What the hub sends and accepts, of the 2,500 media types that Koa knows. */
const MEDIA_TYPES =
  /^(text\/(html|css|csv|plain|javascript|yaml)|application\/(json|javascript|manifest\+json|octet-stream|gzip|zip|xml|vnd\.sqlite3|problem\+json)|image\/(png|svg\+xml|vnd\.microsoft\.icon|x-icon)|font\/woff2)$/;

/** Keeps of Koa's table of media types what is used: the rest is 2 MiB of memory and 4 ms of every start. */
function fewMediaTypes(): Plugin {
  return {
    name: "few-media-types",
    enforce: "pre",
    load(id) {
      if (!/[\\/]mime-db[\\/]db\.json/.test(id)) return null;
      const all = Object.entries(JSON.parse(readFileSync(id, "utf8")) as Record<string, unknown>);
      return JSON.stringify(Object.fromEntries(all.filter(([type]) => MEDIA_TYPES.test(type))));
    },
  };
}

function fromKoa(name: string): string {
  return createRequire(createRequire(import.meta.url).resolve("koa")).resolve(name);
}

/** Leaves beside a bundled hub what it reads of itself. */
export function describeHub(outDir: string): void {
  const { version } = JSON.parse(readFileSync(path.join(root, "hub/package.json"), "utf8")) as { version: string };
  writeFileSync(path.join(outDir, "package.json"), JSON.stringify({ type: "module", version }));
  mkdirSync(path.join(outDir, "docs"), { recursive: true });
  for (const name of ["openapi.json", "openapi.html", "openapi.css"]) {
    copyFileSync(path.join(root, "docs", name), path.join(outDir, "docs", name));
  }
}
