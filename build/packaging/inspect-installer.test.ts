import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { inspectInstaller } from "./inspect-installer.ts";

const root = path.resolve(import.meta.dirname, "../..");
const script = readFileSync(path.join(root, "build/packaging/installer.nsh"), "utf8");

function inspect(changed: string): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), "installer-"));
  writeFileSync(path.join(folder, "installer.nsh"), changed);
  return inspectInstaller("installer.nsh", folder);
}

it("the Windows installer adds a firewall rule for private networks, and the uninstaller removes it [DESK-74]", () => {
  const { nsis } = parse(readFileSync(path.join(root, "electron-builder.yml"), "utf8")) as {
    nsis: { include?: string };
  };
  expect(inspectInstaller(nsis.include, root)).toEqual([]);
});

it.each([
  ["missing", script.replace("firewall add rule", "firewall show rule"), "it adds no firewall rule"],
  ["for any program", script.replace(/program="[^"]*"/, ""), "the rule is not for this program alone"],
  ["for any network", script.replace("profile=private", "profile=any"), "the rule is not for private networks alone"],
  [
    "left by the uninstaller",
    script.replace("'advfirewall firewall delete", "'advfirewall firewall show"),
    "it leaves the rule",
  ],
  ["only a comment", script.replace("    ExecShellWait", "    ; ExecShellWait"), "it adds no firewall rule"],
  ["at each update", script.replace("${ifNot} ${isUpdated}", "${if} ${isUpdated}"), "at each update"],
])("a wrong firewall rule is reported: %s [DESK-74]", (_title, changed, problem) => {
  expect(changed).not.toBe(script);
  expect(inspect(changed).join("\n")).toContain(problem);
});

it("the MSI starts the app again at the interface level that an update gives it [UPD-104]", () => {
  const { msi } = parse(readFileSync(path.join(root, "electron-builder.yml"), "utf8")) as {
    msi: { oneClick?: boolean; runAfterFinish?: boolean };
  };
  expect([msi.oneClick, msi.runAfterFinish]).toEqual([true, undefined]);
  const template = readFileSync(path.join(root, "node_modules/app-builder-lib/templates/msi/template.xml"), "utf8");
  const [, level] = /<Custom Action="runAfterFinish"[^>]*>NOT Installed AND UILevel >= (\d)</.exec(template) ?? [];
  // 4 is the reduced interface of /qr; /passive has 3.
  expect(level).toBe("4");
});

it("an installer script that is missing or not included is reported [DESK-74]", () => {
  expect(inspectInstaller(undefined, root)).toEqual(["the NSIS installer includes no script"]);
  expect(inspectInstaller("nothing.nsh", root)).toEqual(["the NSIS installer includes nothing.nsh, which is missing"]);
});
