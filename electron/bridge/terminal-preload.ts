/// <reference lib="dom" />
// The bridge of the role "terminal". Bundled to one CommonJS file without the schemas, so the names of the methods stand here again.
import type { BridgeMethod, DesktopTerminalBridge } from "@comanda/protocol";
import { restoreLanguage } from "../window/page-language.ts";
import { exposeBridge, subscribe } from "./expose-bridge.ts";

const methods: Record<BridgeMethod<DesktopTerminalBridge>, true> = {
  info: true,
  getSettings: true,
  changeSettings: true,
  getHub: true,
  locateHub: true,
  findHubs: true,
  chooseHub: true,
  becomeHub: true,
  getUpdate: true,
  checkForUpdate: true,
  chooseUpdate: true,
  quit: true,
};

exposeBridge("desktopTerminal", Object.keys(methods), { onUpdate: subscribe("desktopTerminal:update") });
restoreLanguage(globalThis);
