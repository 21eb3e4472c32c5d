import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, type Manifest } from "vite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

let folder: string;
let manifest: Manifest;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "comanda-terminal-"));
  // React's development build, used in tests, is larger.
  vi.stubEnv("NODE_ENV", "production");
  await build({
    configFile: path.join(import.meta.dirname, "../vite.config.ts"),
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: true, manifest: true },
  });
  vi.unstubAllEnvs();
  manifest = JSON.parse(await readFile(path.join(folder, ".vite/manifest.json"), "utf8")) as Manifest;
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the files of a module and of all its imports. */
function filesOf(name: string, visited = new Set<string>()): string[] {
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`the build has no ${name}`);
  if (visited.has(name)) return [];
  visited.add(name);
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((each) => filesOf(each, visited))];
}

/** Returns the transfer size of a file in bytes, compressed with gzip where possible. */
async function weigh(file: string): Promise<number> {
  const compressed = path.join(folder, `${file}.gz`);
  return (await stat(existsSync(compressed) ? compressed : path.join(folder, file))).size;
}

/** Returns the bytes a browser fetches before it shows the screen with these texts. The benchmark measures the same in a browser. */
async function firstLoad(screen: string, texts: readonly string[]): Promise<number> {
  const aroundIt = (await readdir(folder)).filter((name) => /^[^.]+\.(html|js|svg)$/.test(name));
  const modules = ["index.html", ...texts.map((part) => `virtual:texts/${part}`), screen].flatMap((name) =>
    filesOf(nameIn(name)),
  );
  const sizes = await Promise.all([...new Set([...aroundIt, ...modules])].map(weigh));
  return sizes.reduce((sum, each) => sum + each, 0);
}

/** The manifest writes the names of virtual modules in its own form. */
function nameIn(module: string): string {
  return Object.keys(manifest).find((name) => name.endsWith(module)) ?? module;
}

describe("the first load", () => {
  it.each([
    { screen: "features/kitchen/kitchen-screen.tsx", parts: ["first"], most: 150_000 },
    { screen: "app/floor-place.tsx", parts: ["first", "others"], most: 250_000 },
  ])("the first load of $screen is at most $most bytes [TOUCH-170]", async ({ screen, parts, most }) => {
    for (const language of ["es", "en"]) {
      const texts = parts.map((part) => `${language}/${part}`);
      const bytes = await firstLoad(screen, texts);
      expect(bytes).toBeGreaterThan(60_000);
      expect(bytes).toBeLessThanOrEqual(most);
    }
  });

  it("the first load has no text of another language or screen [TOUCH-170]", () => {
    const first = filesOf("index.html");
    const texts = Object.keys(manifest).filter((name) => name.includes("virtual:texts/"));
    expect(texts).toHaveLength(4);
    for (const name of texts) expect(first).not.toContain(manifest[name]?.file);
  });
});
