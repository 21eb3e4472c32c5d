/// <reference lib="dom" />
// The bridge of the role "hub". Bundled to one CommonJS file without the schemas, so the channels' names stand here again.
import type { DesktopBridge } from "@comanda/protocol";
import { restoreDrafts } from "../window/drafts.ts";
import { restoreLanguage } from "../window/page-language.ts";
import { exposeBridge, subscribe } from "./expose-bridge.ts";

type Method = Exclude<keyof DesktopBridge, `on${string}`>;

const methods = [
  "info",
  "getSettings",
  "testSettings",
  "findBackOffices",
  "saveSettings",
  "getHubSettings",
  "changeHubSettings",
  "getHubState",
  "getPairing",
  "getUpdate",
  "checkForUpdate",
  "chooseUpdate",
  "restartHub",
  "restoreNewestBackup",
  "getBackups",
  "chooseBackups",
  "findBackups",
  "chooseFolder",
  "restoreBackup",
  "testFolder",
  "beginEmpty",
  "cancelRestore",
  "openLogs",
  "openDataFolder",
  "saveDiagnostics",
  "setLanguage",
  "becomeTerminal",
  "quit",
] as const satisfies Method[];

exposeBridge("desktop", methods, {
  onUpdate: subscribe("desktop:update"),
  onHubState: subscribe("desktop:hubState"),
});
restoreDrafts(globalThis);
restoreLanguage(globalThis);
