import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** Starts the back-office stub as a separate program, on a free port and an empty file. Returns its address. */
export async function startBackOffice(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "back-office-"));
  const env = { ...process.env, BACKOFFICE_PORT: "0", BACKOFFICE_DB_PATH: path.join(folder, "back-office.sqlite") };
  const main = path.resolve(import.meta.dirname, "../../backoffice-stub/main.ts");
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  for await (const line of createInterface(child.stdout)) {
    const [, address] = /^listening on (\S+)$/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error("the back-office stand-in ended before it listened");
}
