import { z } from "zod";
import { type BridgeArguments, type BridgePushes, type DesktopBridge, UpdateChoice } from "./desktop.ts";
import { Language } from "../basics/language.ts";

/** A hub that a desktop terminal can use. `url` is its HTTP address, such as `http://192.168.1.10:8766`. */
export const TerminalHub = z.strictObject({
  id: z.string().min(1).max(128),
  name: z.string().max(256),
  url: z.url({ protocol: /^https?$/ }),
});
export type TerminalHub = z.infer<typeof TerminalHub>;

/** `unreachable`: no answer. `not_a_hub`: something else answers. `not_an_address`: the text is not an address. */
export type ChosenHub =
  | { ok: true; hub: TerminalHub }
  | { ok: false; reason: "unreachable" | "not_a_hub" | "not_an_address" };

/** The settings of a PC in the role "terminal". */
export const DesktopTerminalSettings = z.strictObject({
  language: Language,
  /** Full screen without a menu. */
  kiosk: z.boolean(),
  startAtLogin: z.boolean(),
});
export type DesktopTerminalSettings = z.infer<typeof DesktopTerminalSettings>;

/** `window.desktopTerminal`: the app's functions for its terminal page. Absent in a browser and in the role "hub". */
export interface DesktopTerminalBridge extends Pick<
  DesktopBridge,
  "info" | "getUpdate" | "checkForUpdate" | "chooseUpdate" | "quit" | "onUpdate"
> {
  getSettings(): Promise<DesktopTerminalSettings>;
  /** Saves the given settings and applies them immediately. */
  changeSettings(change: Partial<DesktopTerminalSettings>): Promise<DesktopTerminalSettings>;
  /** The remembered hub; null until one is chosen. */
  getHub(): Promise<TerminalHub | null>;
  /** The remembered hub's address. Searches the network if it does not answer there. Rejects if no hub was chosen. */
  locateHub(): Promise<string>;
  /** Searches the network for hubs that announce themselves; takes 3 s. */
  findHubs(): Promise<TerminalHub[]>;
  /** Remembers the hub that answers at a typed address; changes nothing if none does. */
  chooseHub(address: string): Promise<ChosenHub>;
  /** Restarts the app as the hub. Unsent work stays on this PC until it is a terminal again. */
  becomeHub(): Promise<void>;
}

/** Schemas of the methods that take arguments. The main process checks the arguments and the sender. */
export const desktopTerminalArguments = {
  changeSettings: z.tuple([DesktopTerminalSettings.partial()]),
  chooseHub: z.tuple([z.string().trim().min(1).max(256)]),
  chooseUpdate: z.tuple([UpdateChoice]),
} as const satisfies BridgeArguments<DesktopTerminalBridge>;

/** The channels on which the main process pushes to the page. */
export const desktopTerminalPushes = {
  onUpdate: "desktopTerminal:update",
} as const satisfies BridgePushes<DesktopTerminalBridge>;
