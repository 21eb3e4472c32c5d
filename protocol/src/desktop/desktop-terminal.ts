import { z } from "zod";
import { type BridgeArguments, type BridgePushes, type DesktopBridge, UpdateChoice } from "./desktop.ts";
import { Language } from "../basics/language.ts";

/** A hub that a desktop terminal can work with. `url` is its HTTP address, such as `http://192.168.1.10:8766`. */
export const TerminalHub = z.strictObject({
  id: z.string().min(1).max(128),
  name: z.string().max(256),
  url: z.url({ protocol: /^https?$/ }),
});
export type TerminalHub = z.infer<typeof TerminalHub>;

/** `unreachable`: nothing answers there. `not_a_hub`: something else does. `not_an_address`: it cannot be read as one. */
export type ChosenHub =
  | { ok: true; hub: TerminalHub }
  | { ok: false; reason: "unreachable" | "not_a_hub" | "not_an_address" };

/** What can be set at a PC in the role "terminal". */
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
  /** Saves what is given, and does it at once. */
  changeSettings(change: Partial<DesktopTerminalSettings>): Promise<DesktopTerminalSettings>;
  /** The remembered hub; null until one was chosen. */
  getHub(): Promise<TerminalHub | null>;
  /** The remembered hub's address; looks for it on the network when it does not answer there. Rejects without a hub. */
  locateHub(): Promise<string>;
  /** The hubs that announce themselves on the network, each with an address; takes 3 s. */
  findHubs(): Promise<TerminalHub[]>;
  /** Remembers the hub that answers at an address, as a person types it; changes nothing when none does. */
  chooseHub(address: string): Promise<ChosenHub>;
  /** Restarts the app as the hub. What was not sent waits on this PC until it is a terminal again. */
  becomeHub(): Promise<void>;
}

/** What the methods take that take something: the main process checks it, and the sender. */
export const desktopTerminalArguments = {
  changeSettings: z.tuple([DesktopTerminalSettings.partial()]),
  chooseHub: z.tuple([z.string().trim().min(1).max(256)]),
  chooseUpdate: z.tuple([UpdateChoice]),
} as const satisfies BridgeArguments<DesktopTerminalBridge>;

/** The channels by which the main process pushes to the page. */
export const desktopTerminalPushes = {
  onUpdate: "desktopTerminal:update",
} as const satisfies BridgePushes<DesktopTerminalBridge>;
