import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { lockFolder } from "./lock-folder.ts";
import { testFolder } from "./test/test-folder.ts";

it.each([
  ["", ""],
  [" with a long path", "x".repeat(120)],
])("a folder%s that is locked cannot be locked by another process [HQ-4]", async (_, name) => {
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
  [" with a long path", "x".repeat(120)],
])(
  "a folder%s is locked also against a service that has its own folder for temporary files [HQ-207]",
  async (_, name) => {
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
  },
);
