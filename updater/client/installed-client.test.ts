import { expect, it } from "vitest";
import { describeInstallation, platformKeysOf } from "./installed-client.ts";

it.each([
  ["win32", "x64", false, ["windows-x86_64-nsis", "windows-x86_64"]],
  ["win32", "x64", true, ["windows-x86_64-msi"]],
  ["linux", "x64", false, ["linux-x86_64-appimage", "linux-x86_64"]],
  ["linux", "arm64", false, ["linux-aarch64-appimage", "linux-aarch64"]],
  ["darwin", "arm64", false, ["darwin-aarch64-dmg", "darwin-aarch64"]],
  ["darwin", "x64", false, ["darwin-x86_64-dmg", "darwin-x86_64"]],
] as [NodeJS.Platform, string, boolean, string[]][])(
  "a client on %s %s (MSI: %s) looks for %j [UPD-66]",
  (platform, arch, isMsi, keys) => {
    expect(platformKeysOf(describeInstallation("1.0.0", platform, arch, isMsi)!)).toEqual(keys);
  },
);

it("a client on a system without releases gets no updates [UPD-66]", () => {
  expect([
    describeInstallation("1.0.0", "freebsd", "x64", false),
    describeInstallation("1.0.0", "linux", "ia32", false),
  ]).toEqual([undefined, undefined]);
});
