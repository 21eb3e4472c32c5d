import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const shell = process.platform === "win32";

/**
 * Creates a project outside the repository with only the packed client installed. Use it in one test file only: packing builds
 * the client in its own folder.
 */
export async function installPackedClient(): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), "integrator-"));
  const client = path.resolve(import.meta.dirname, "..");
  await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: client, shell });
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", `./${tarball}`], {
    cwd: folder,
    shell,
  });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
