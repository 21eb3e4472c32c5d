import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { argumentsOfNextStart, saveForInstaller, startAfter, takeSavedByInstaller } from "./next-start.ts";

it("the app restarts with the same profile and switches, but not hidden and in the saved role [DESK-173]", () => {
  const argv = ["/opt/hub.AppImage", "--no-sandbox", "--profile-dir=/srv/hub", "--hidden", "--role=terminal"];
  expect(argumentsOfNextStart(argv)).toEqual(["--no-sandbox", `--profile-dir=${path.resolve("/srv/hub")}`]);
  // The session starts it in another folder.
  expect(argumentsOfNextStart(["hub", "--profile-dir=caja"])).toEqual([`--profile-dir=${path.resolve("caja")}`]);
});

it("a new version that an installer starts without arguments gets those of the one before, once [DESK-193]", () => {
  const home = mkdtempSync(path.join(tmpdir(), "next start-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const profile = `--profile-dir=${path.resolve("/srv/José")}`;
  const folder = path.join(home, "not there yet");
  saveForInstaller(folder, "1.3.0", ["hub.exe", "--updated", profile, "--hidden"]);
  expect(takeSavedByInstaller(folder, "1.4.0")).toEqual([profile]);
  expect(takeSavedByInstaller(folder, "1.4.0")).toBeNull();

  // The installation failed, and a person starts the old version with other arguments.
  saveForInstaller(folder, "1.3.0", ["hub.exe", profile]);
  expect(takeSavedByInstaller(folder, "1.3.0")).toBeNull();
  expect(takeSavedByInstaller(folder, "1.4.0")).toBeNull();
  // There are no arguments to pass on, or the note cannot be read.
  saveForInstaller(folder, "1.3.0", ["hub.exe", "--hidden"]);
  expect(takeSavedByInstaller(folder, "1.4.0")).toBeNull();
  writeFileSync(path.join(folder, "next-start.json"), '{"version":"1.3.0","args":[');
  expect(takeSavedByInstaller(folder, "1.4.0")).toBeNull();
});

it.skipIf(process.platform === "win32")(
  "an AppImage is restarted with its arguments once the process has ended [DESK-179]",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "next start-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const program = path.join(folder, "Comanda Hub.AppImage");
    const app = spawn(process.execPath, ["-e", "setTimeout(() => {}, 500)"], { stdio: "ignore" });
    const pid = app.pid ?? 0;
    const notes = `#!/bin/sh
kill -0 ${pid} 2>/dev/null && echo running > "$0.part"
printf '%s\\n' "$@" >> "$0.part"
mv "$0.part" "$0.started"
`;
    writeFileSync(program, notes, { mode: 0o755 });
    startAfter(pid, program, ["--profile-dir=/srv/la casa", "$HOME"]);
    await expect.poll(() => existsSync(`${program}.started`), { timeout: 20_000 }).toBe(true);
    expect(readFileSync(`${program}.started`, "utf8")).toBe("--profile-dir=/srv/la casa\n$HOME\n");
  },
);
