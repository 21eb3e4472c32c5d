import { fetchLater, persist } from "@comanda/ui/lazy-part.ts";
import { isPractice } from "./practice.ts";
import { readSaved, save } from "./saved.ts";
import { randomText } from "./random-text.ts";

/** The screen that a device starts on. */
export const startScreens = ["floor", "kitchen", "expo", "host"] as const;
export type StartScreen = (typeof startScreens)[number];

export interface Device {
  /** By which the hub knows it. */
  id: string;
  /** The name that it had first, under which the browser keeps its outbox and its key; absent while it has no other. */
  firstId?: string;
  startScreen: StartScreen;
  /** Its name was made up, and nobody has signed in here yet. */
  isUnnamed?: true;
}

const KEY = "comanda-terminal-device";

/** This device; made up at the first start, with the name that a pairing code brings (`?name=` in the address). */
export function readDevice(): Device {
  const known = readSaved(KEY, isDevice);
  if (known !== null) return known;
  const named = new URLSearchParams(location.search).get("name")?.replaceAll(/[^\w.-]+/g, "-") ?? "";
  const made: Device =
    named === "" || named === "hub"
      ? { id: `terminal-${randomText(6)}`, startScreen: "floor", isUnnamed: true }
      : { id: named.slice(0, 64), startScreen: "floor" };
  save(KEY, made);
  return made;
}

/**
 * To be called before anything reads the device: where its record is gone and the outbox is not, it is the device that it was.
 * Under another name it would find neither its unsent work nor its key.
 */
export async function restoreDevice(): Promise<void> {
  if (isPractice) return;
  if (readSaved(KEY, isDevice) === null) {
    const copy = await (await persist(loadCopy)).readDeviceCopy();
    if (isDevice(copy)) save(KEY, copy);
  }
  fetchLater(keepCopy);
}

export function saveDevice(device: Device): void {
  save(KEY, device);
  if (!isPractice) void keepCopy();
}

/** Where it does not come to an end, the next start does it. */
async function keepCopy(): Promise<void> {
  (await persist(loadCopy)).writeDeviceCopy(readDevice());
}

/** Few starts need it before anything is shown. */
function loadCopy() {
  return import("./device-copy.ts");
}

function isDevice(value: unknown): value is Device {
  const { id, firstId, startScreen } = (value ?? {}) as Partial<Device>;
  const areIds = typeof id === "string" && (firstId === undefined || typeof firstId === "string");
  return areIds && startScreens.some((each) => each === startScreen);
}
