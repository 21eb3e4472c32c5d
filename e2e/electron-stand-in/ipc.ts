// Electron's ipcMain, and the half of ipcRenderer that runs in this process.
import { EventEmitter } from "node:events";
import { createCodec } from "./codec.ts";

/** The part of a page's `webContents` that ipc needs. */
interface Sender {
  readonly mainFrame: object;
  /** Sends encoded text to the preload script. */
  deliver(text: string): void;
}

type Handler = (event: unknown, ...args: unknown[]) => unknown;

const codec = createCodec();
const handlers = new Map<string, Handler>();

export const ipcMain = Object.assign(new EventEmitter(), {
  handle(channel: string, handler: Handler) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
  removeHandler: (channel: string) => void handlers.delete(channel),
});

/** Handles a message from the preload script of `contents`; replies to an `invoke` with its result. */
export async function receiveFromPreload(contents: Sender, text: string): Promise<void> {
  const { id, channel, args } = codec.decode(text) as { id?: number; channel: string; args: unknown[] };
  const event = { sender: contents, senderFrame: contents.mainFrame, processId: 1, frameId: 1 };
  if (id === undefined) return void ipcMain.emit(channel, event, ...args);
  try {
    const handler = handlers.get(channel);
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    contents.deliver(codec.encode({ id, channel, args: [await handler(event, ...args)] }));
  } catch (error) {
    const wrapped = new Error(`Error invoking remote method '${channel}': ${String(error)}`);
    contents.deliver(codec.encode({ id, channel, args: [wrapped], failed: true }));
  }
}

export function encodeEvent(channel: string, args: unknown[]): string {
  return codec.encode({ channel, args });
}
