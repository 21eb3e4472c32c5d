import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { minify, type Plugin } from "vite";

const COMPRESSIBLE = new Set([".html", ".js", ".css", ".svg", ".json"]);
/** Below this a file does not get smaller. */
const LEAST_BYTES = 300;

/**
 * Writes each file of the build compressed beside it, as `.br` and `.gz`: the hub sends what its client accepts. Scripts
 * that the build has only copied lose their comments before.
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

/** In the syntax that it has: one of them is for browsers that read no newer one. */
async function shorten(file: string): Promise<void> {
  const content = await readFile(file, "utf8");
  const { code } = await minify(file, content, { compress: false, codegen: { removeWhitespace: false } });
  await writeFile(file, code);
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < LEAST_BYTES) return;
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}
