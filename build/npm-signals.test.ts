import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

// Ctrl-C in a terminal reaches the whole process group; a supervisor's SIGTERM reaches only npm.
it.runIf(process.platform !== "win32").each([
  ["SIGTERM", "npm"],
  ["SIGTERM", "group"],
  ["SIGINT", "group"],
] as const)(
  "npm run ends with exit code 0 when %s goes to the %s [BO-90]",
  async (signal, target) => {
    const folder = mkdtempSync(path.join(tmpdir(), "npm-signals-"));
    const npm = spawn("npm", ["run", "backoffice"], {
      cwd: path.join(import.meta.dirname, ".."),
      detached: true,
      env: { ...process.env, BACKOFFICE_PORT: "0", BACKOFFICE_DB_PATH: path.join(folder, "backoffice.sqlite") },
    });
    const { pid = 0 } = npm;
    onTestFinished(() => void (npm.exitCode === null && npm.signalCode === null && process.kill(-pid, "SIGKILL")));
    let out = "";
    const { promise: listening, resolve } = Promise.withResolvers<string>();
    npm.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      const [, address] = /^listening on (\S+)$/m.exec(out) ?? [];
      if (address !== undefined) resolve(address);
    });
    const ended = once(npm, "exit");
    const address = await listening;

    process.kill(target === "npm" ? pid : -pid, signal);
    expect(await ended).toEqual([0, null]);
    await expect(fetch(address)).rejects.toThrow();
  },
  30_000,
);
