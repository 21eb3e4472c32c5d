import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { setStartAtLogin } from "./login-item.ts";

function parts(platform: NodeJS.Platform) {
  const set: { name?: string }[] = [];
  const configFolder = mkdtempSync(path.join(tmpdir(), "login-"));
  const program = '/opt/Comanda "Hub"/comanda';
  const args = ["--profile-dir=/srv/La Terraza 100%"];
  return {
    set,
    platform,
    configFolder,
    program,
    args,
    setLoginItemSettings: (login: { name?: string }) => void set.push(login),
  };
}

it("the login item on Windows and macOS is set and removed, and starts the same profile in the tray [DESK-27]", () => {
  const windows = parts("win32");
  setStartAtLogin(true, windows);
  setStartAtLogin(false, windows);
  // Windows stores one line. Electron adds the necessary quotes; quotes of ours would become part of the argument.
  const args = ["--profile-dir=/srv/La Terraza 100%", "--hidden"];
  expect(windows.set).toMatchObject([
    { openAtLogin: true, args },
    { openAtLogin: false, args },
  ]);
  const drive = { ...parts("win32"), args: ["--profile-dir=D:\\"] };
  setStartAtLogin(true, drive);
  expect(drive.set).toMatchObject([{ openAtLogin: true, args: ["--profile-dir=D:\\", "--hidden"] }]);
});

it("the autostart file on Linux is written and removed [DESK-27]", () => {
  const linux = { ...parts("linux"), args: [] };
  const file = path.join(linux.configFolder, "autostart", "comanda-hub.desktop");
  setStartAtLogin(true, linux);
  expect(readFileSync(file, "utf8")).toContain(String.raw`Exec="/opt/Comanda \\"Hub\\"/comanda" "--hidden"`);
  setStartAtLogin(false, linux);
  expect(existsSync(file)).toBe(false);
  expect(linux.set).toEqual([]);
});

it("each profile starts with the session independently of the others [DESK-191]", () => {
  const linux = parts("linux");
  const other = { ...linux, args: ["--profile-dir=/srv/$a\\"] };
  const autostart = path.join(linux.configFolder, "autostart");
  const entries = () =>
    readdirSync(autostart).map((name) => /^Exec=.*/m.exec(readFileSync(path.join(autostart, name), "utf8"))?.[0]);
  setStartAtLogin(true, { ...linux, args: [] });
  setStartAtLogin(true, other);
  setStartAtLogin(true, linux);
  setStartAtLogin(true, linux);
  // In the file, a value's backslashes are doubled before the quotes are read.
  const program = String.raw`Exec="/opt/Comanda \\"Hub\\"/comanda"`;
  expect(entries().toSorted((one = "", another = "") => (one < another ? -1 : 1))).toEqual([
    `${program} "--hidden"`,
    `${program} "--profile-dir=/srv/La Terraza 100%%" "--hidden"`,
    String.raw`${program} "--profile-dir=/srv/\\$a\\\\" "--hidden"`,
  ]);
  setStartAtLogin(false, linux);
  expect(entries()).toHaveLength(2);
  const windows = parts("win32");
  setStartAtLogin(true, windows);
  setStartAtLogin(true, { ...windows, args: ["--profile-dir=D:\\"] });
  setStartAtLogin(false, windows);
  setStartAtLogin(true, { ...windows, args: [] });
  const [one, another, again, plain] = windows.set.map(({ name }) => name);
  expect([again === one, another === one, plain]).toEqual([true, false, undefined]);
});
