import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { minify, type Plugin } from "vite";

const COMPRESSIBLE = new Set([".html", ".js", ".css", ".svg", ".json"]);
/** Smaller files do not shrink. */
const MIN_BYTES = 300;

/**
 * Writes each file of the build also compressed, as `.br` and `.gz`. The hub sends what its client accepts. Comments are
 * removed from scripts that the build only copies.
 */
export function compressAssets(): Plugin {
  let folder = "";
  return {
    name: "compress-assets",
    apply: "build",
    configResolved: ({ root, build }) => {
      folder = path.resolve(root, build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const copied = entries.filter(({ name, parentPath }) => parentPath === folder && path.extname(name) === ".js");
      await Promise.all(copied.map(({ name }) => shorten(path.join(folder, name))));
      const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.has(path.extname(entry.name)));
      await Promise.all(files.map((entry) => compress(path.join(entry.parentPath, entry.name))));
    },
  };
}

/** Keeps the syntax: one script is for browsers that cannot read a newer one. */
async function shorten(file: string): Promise<void> {
  const content = await readFile(file, "utf8");
  const { code } = await minify(file, content, { compress: false, codegen: { removeWhitespace: false } });
  await writeFile(file, code);
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < MIN_BYTES) return;
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}
