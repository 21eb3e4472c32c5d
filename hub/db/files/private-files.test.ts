import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

it("missing parent folders are looked for no further up than the drive [DB-131]", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "private-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // Simulates a missing drive on Windows, which has no parent. Runs as a separate process, because it may never end.
  const program = `
    import path from "node:path";
    path.dirname = path.win32.dirname;
    const { makePrivateFolder } = await import(${JSON.stringify(path.join(import.meta.dirname, "private-files.ts"))});
    makePrivateFolder("D:/comanda/data");`;
  const args = ["--max-old-space-size=100", "--input-type=module", "--eval", program];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, timeout: 20_000 });
  expect(status).toBe(0);
  expect(existsSync(path.join(folder, "D:", "comanda", "data"))).toBe(true);
});
