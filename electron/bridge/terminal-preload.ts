/// <reference lib="dom" />
// The bridge of the role "terminal". Bundled to one CommonJS file without the schemas, so the channels' names stand here again.
import type { DesktopTerminalBridge } from "@comanda/protocol";
import { restoreLanguage } from "../window/page-language.ts";
import { exposeBridge, subscribe } from "./expose-bridge.ts";

const methods = [
  "info",
  "getSettings",
  "changeSettings",
  "getHub",
  "locateHub",
  "findHubs",
  "chooseHub",
  "becomeHub",
  "getUpdate",
  "checkForUpdate",
  "chooseUpdate",
  "quit",
] as const satisfies Exclude<keyof DesktopTerminalBridge, `on${string}`>[];

exposeBridge("desktopTerminal", methods, { onUpdate: subscribe("desktopTerminal:update") });
restoreLanguage(globalThis);
