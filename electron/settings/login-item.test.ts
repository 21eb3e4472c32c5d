import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { setStartAtLogin } from "./login-item.ts";

function parts(platform: NodeJS.Platform) {
  const set: unknown[] = [];
  const configFolder = mkdtempSync(path.join(tmpdir(), "login-"));
  const program = '/opt/Comanda "Hub"/comanda';
  const args = ["--profile-dir=/srv/La Terraza 100%"];
  return { set, platform, configFolder, program, args, setLoginItemSettings: (login: unknown) => void set.push(login) };
}

it("[DESK-27] sets and removes the login item on Windows and macOS, started in the tray with the same profile", () => {
  const windows = parts("win32");
  setStartAtLogin(true, windows);
  setStartAtLogin(false, windows);
  // Windows keeps one line, and Electron puts no quotes into it.
  const args = ['"--profile-dir=/srv/La Terraza 100%"', '"--hidden"'];
  expect(windows.set).toEqual([
    { openAtLogin: true, args },
    { openAtLogin: false, args },
  ]);
  const drive = { ...parts("win32"), args: ["--profile-dir=D:\\"] };
  setStartAtLogin(true, drive);
  expect(drive.set).toEqual([{ openAtLogin: true, args: [String.raw`"--profile-dir=D:\\"`, '"--hidden"'] }]);
});

it("[DESK-27] writes and removes the autostart file on Linux", () => {
  const linux = parts("linux");
  const file = path.join(linux.configFolder, "autostart", "comanda-hub.desktop");
  setStartAtLogin(true, linux);
  expect(readFileSync(file, "utf8")).toContain(
    String.raw`Exec="/opt/Comanda \"Hub\"/comanda" "--profile-dir=/srv/La Terraza 100%%" "--hidden"`,
  );
  setStartAtLogin(false, linux);
  expect(existsSync(file)).toBe(false);
  expect(linux.set).toEqual([]);
});
