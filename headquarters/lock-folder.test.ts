import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { lockFolder } from "./lock-folder.ts";
import { testFolder } from "./test/test-folder.ts";

it.each([
  ["", ""],
  [" with a long path", "x".repeat(120)],
])("keeps others out of a folder%s while it has it [HQ-4]", async (_, name) => {
  const folder = path.join(await testFolder(), name);
  await mkdir(folder, { recursive: true });
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow("run already");
  await unlock();
  await (
    await lockFolder(folder)
  )();
});

it.each([
  ["", ""],
  [" where its path is long", "x".repeat(120)],
])("keeps out a service whose folder for temporary files is its own%s [HQ-207]", async (_, name) => {
  const folder = path.join(await testFolder(), name);
  await mkdir(folder, { recursive: true });
  const unlock = await lockFolder(folder);
  vi.stubEnv("TMPDIR", await testFolder());
  try {
    await expect(lockFolder(folder)).rejects.toThrow("run already");
  } finally {
    vi.unstubAllEnvs();
    await unlock();
  }
});
