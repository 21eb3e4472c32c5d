import { fetchLater, persist } from "@comanda/ui/lazy-part.ts";
import { isPractice } from "./practice.ts";
import { readSaved, save } from "./saved.ts";
import { randomText } from "./random-text.ts";

/** The screens that a device can start on. */
export const startScreens = ["floor", "kitchen", "expo", "host"] as const;
export type StartScreen = (typeof startScreens)[number];

export interface Device {
  /** Id by which the hub knows the device. */
  id: string;
  /** The first name, under which the browser keeps the outbox and the key; absent while the device has no other. */
  firstId?: string;
  startScreen: StartScreen;
  /** The name was generated, and nobody has signed in here yet. */
  isUnnamed?: true;
}

const KEY = "comanda-terminal-device";

/** Returns this device's record. Created at the first start, with the name from a pairing code (`?name=`) if any. */
export function readDevice(): Device {
  const saved = readSaved(KEY, isDevice);
  if (saved !== null) return saved;
  const named = new URLSearchParams(location.search).get("name")?.replaceAll(/[^\w.-]+/g, "-") ?? "";
  const created: Device =
    named === "" || named === "hub"
      ? { id: `terminal-${randomText(6)}`, startScreen: "floor", isUnnamed: true }
      : { id: named.slice(0, 64), startScreen: "floor" };
  save(KEY, created);
  return created;
}

/**
 * Restores the device record from its copy if it was lost. Must be called before the device is read: under another name it
 * would find neither its unsent changes nor its key.
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

/** Copies the device record. If that does not complete, the next start does it. */
async function keepCopy(): Promise<void> {
  (await persist(loadCopy)).writeDeviceCopy(readDevice());
}

/** Imported on demand: few starts need it before anything is shown. */
function loadCopy() {
  return import("./device-copy.ts");
}

function isDevice(value: unknown): value is Device {
  const { id, firstId, startScreen } = (value ?? {}) as Partial<Device>;
  const areIds = typeof id === "string" && (firstId === undefined || typeof firstId === "string");
  return areIds && startScreens.some((each) => each === startScreen);
}
