import { cp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "../..");

/**
 * Builds the result of an update in `folder`: the hub's program with a page whose files differ from this repository's. Returns
 * the program's path.
 */
export async function buildNextVersion(folder: string, page: "renderer" | "terminal"): Promise<string> {
  const dist = join(folder, "dist");
  await Promise.all(
    ["hub", "renderer", "terminal"].map((name) => cp(join(root, "dist", name), join(dist, name), { recursive: true })),
  );
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const output = { entryFileNames: "assets/next-[name]-[hash].js", chunkFileNames: "assets/next-[name]-[hash].js" };
  await build({
    configFile: join(root, page, "vite.config.ts"),
    logLevel: "error",
    build: { outDir: join(dist, page), rolldownOptions: { output } },
  });
  return join(dist, "hub/main.js");
}
