/// <reference lib="dom" />
// The bridge of the role "hub". Bundled to one CommonJS file without the schemas, so the names of the methods stand here again.
import type { BridgeMethod, DesktopBridge } from "@comanda/protocol";
import { restoreDrafts } from "../window/drafts.ts";
import { restoreLanguage } from "../window/page-language.ts";
import { exposeBridge, subscribe } from "./expose-bridge.ts";

const methods: Record<BridgeMethod<DesktopBridge>, true> = {
  info: true,
  getSettings: true,
  testSettings: true,
  findBackOffices: true,
  saveSettings: true,
  getHubSettings: true,
  changeHubSettings: true,
  getHubState: true,
  getPairing: true,
  getUpdate: true,
  checkForUpdate: true,
  chooseUpdate: true,
  restartHub: true,
  restoreNewestBackup: true,
  getBackups: true,
  chooseBackups: true,
  findBackups: true,
  chooseFolder: true,
  restoreBackup: true,
  testFolder: true,
  beginEmpty: true,
  cancelRestore: true,
  openLogs: true,
  openDataFolder: true,
  saveDiagnostics: true,
  setLanguage: true,
  becomeTerminal: true,
  quit: true,
};

exposeBridge("desktop", Object.keys(methods), {
  onUpdate: subscribe("desktop:update"),
  onHubState: subscribe("desktop:hubState"),
});
restoreDrafts(globalThis);
restoreLanguage(globalThis);
