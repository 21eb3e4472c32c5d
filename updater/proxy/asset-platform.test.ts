import { expect, it } from "vitest";
import { assetPlatforms } from "./asset-platform.ts";

const table: [string, string[]][] = [
  ["comanda-hub_1.4.0_x64-setup.exe", ["windows-x86_64", "windows-x86_64-nsis"]],
  ["comanda-hub_1.4.0_x64_en-US.msi", ["windows-x86_64-msi"]],
  ["comanda-hub_1.4.0_aarch64.AppImage", ["linux-aarch64"]],
  ["comanda-hub_1.4.0_amd64.AppImage", ["linux-x86_64"]],
  ["comanda-hub_1.4.0_aarch64.dmg", ["darwin-aarch64"]],
  ["comanda-hub_1.4.0_arm64.dmg", ["darwin-aarch64"]],
  ["Comanda Hub-1.4.0-arm64.dmg", ["darwin-aarch64"]],
  ["comanda-hub_1.4.0_x86_64.dmg", ["darwin-x86_64"]],
  ["comanda-hub_1.4.0_x64.dmg", ["darwin-x86_64"]],
  ["aarch64.dmg", ["darwin-aarch64"]],
  ["comanda-hub_1.4.0.dmg", []],
  ["comanda-hub_1.4.0_universal.dmg", []],
  ["comanda-hub_1.4.0_x64_arm64.dmg", []],
  ["charm64ing_1.4.0.dmg", []],
  ["comanda-hub_1.4.0_x64-setup.exe.sig", []],
  ["comanda-hub_1.4.0_aarch64.dmg.sig", []],
  ["comanda-hub_1.4.0_arm64-setup.exe", []],
  ["comanda-hub_1.4.0_x64_es-DO.msi", []],
  ["comanda-hub_1.4.0_x86_64.AppImage", []],
  ["comanda-hub_1.4.0_amd64.deb", []],
  ["comanda-hub_1.4.0_X64-SETUP.EXE", []],
  ["sbom.spdx.json", []],
  ["SHA256SUMS", []],
  ["", []],
];

it.each(table)('the asset "%s" serves %j [UPD-5]', (fileName, keys) => {
  expect(assetPlatforms(fileName)).toEqual(keys);
});
