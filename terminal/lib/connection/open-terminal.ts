import {
  memoryStorage,
  openIndexedDbStorage,
  openTerminalWith,
  openWebSocket,
  OutboxInUseError,
  type NoteStorage,
  type OutboxStorage,
  type Terminal,
  trustingSchemas,
  type UnsentNote,
} from "@comanda/terminal";
import { fetchingAhead, persist } from "@comanda/ui/lazy-part.ts";
import { version } from "../../package.json";
import { renewAccount, type Account } from "../device/account.ts";
import { desktopTerminal } from "../device/desktop.ts";
import type { Device } from "../device/device.ts";
import { hubAddress, hubSocketAddress } from "../device/hub-address.ts";
import { watchTerminal, type LiveTerminal } from "./live-terminal.ts";
import { readSaved, save } from "../device/saved.ts";

/** Opens this device's terminal and connects it. Throws OutboxInUseError if another tab of this browser has it. */
export async function openTerminal(device: Device, account: Account): Promise<LiveTerminal> {
  const hubId = (await desktopTerminal()?.getHub())?.id;
  const name = storageName(device, hubId);
  const { terminal, isPersistent } = await openStored(name, (storage) =>
    openTerminalWith(trustingSchemas, {
      url: () => hubSocketAddress(hubId),
      httpUrl: hubAddress(),
      deviceId: device.id,
      isRenamed: device.firstId !== undefined,
      token: account.token,
      storage,
      unsentNote: unsentNoteOf(name),
      openSocket: openWebSocket,
      clientVersion: version,
    }),
  );
  if (isPersistent) void lookAround(name);
  const pos = watchTerminal(terminal, { isPersistent });
  terminal.on("token", renewAccount);
  addEventListener("pagehide", terminal.reportOutbox);
  terminal.start();
  return pos;
}

/** Looks for other outboxes once the first screen is shown. */
async function lookAround(name: string): Promise<void> {
  await fetchingAhead;
  const { lookForOtherOutboxes } = await persist(() => import("./other-outboxes.ts"));
  await lookForOtherOutboxes(name);
}

/**
 * Returns the name of the outbox. A browser separates storage by address, but the desktop app's page has the same address for
 * every hub, so the name includes the hub: changes recorded for one hub must not go to another.
 */
function storageName({ id, firstId = id }: Device, hubId: string | undefined): string {
  return hubId === undefined ? firstId : `${firstId} ${hubId}`;
}

/** Kept in local storage, which stays when the browser evicts a database for lack of space. */
function unsentNoteOf(name: string): NoteStorage {
  const key = `comanda-terminal-unsent ${name}`;
  const isNote = (value: unknown): value is UnsentNote =>
    typeof value === "object" && value !== null && "unsent" in value && "lost" in value;
  return {
    read: () => readSaved(key, isNote),
    write: (note) => save(key, note.unsent === null && note.lost === null ? null : note),
  };
}

/** Opens the terminal on IndexedDB (`isPersistent`), or in memory if the browser stores nothing or cannot read it. */
async function openStored(name: string, open: (storage: OutboxStorage) => Promise<Terminal>) {
  try {
    const storage = await openIndexedDbStorage(name);
    try {
      return { terminal: await open(storage), isPersistent: true };
    } catch (error) {
      await storage.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof OutboxInUseError) throw error;
    return { terminal: await open(memoryStorage()), isPersistent: false };
  }
}
