import type { z } from "zod";

/** The sender of an ipc call, part of Electron's IpcMainInvokeEvent. */
export interface SenderEvent {
  sender: { id: number };
  senderFrame: { url: string; parent: unknown } | null;
}

export interface IpcMain {
  handle: (channel: string, listener: (event: SenderEvent, ...args: unknown[]) => unknown) => void;
}

export type Handle = <A extends z.ZodType<unknown[]>>(
  channel: string,
  args: A,
  work: (...args: z.infer<A>) => unknown,
) => void;

/**
 * Returns the only way to register an ipc handler. A handler runs only for the main frame of our own window on one of our own
 * origins, with arguments that the schema accepts. All other calls are rejected without detail.
 */
export function createHandle(ipcMain: IpcMain, isOwn: (event: SenderEvent) => boolean): Handle {
  return (channel, args, work) => {
    ipcMain.handle(channel, (event, ...input) => {
      if (!isOwn(event)) throw new Error(`${channel}: not allowed`);
      const parsed = args.safeParse(input);
      if (!parsed.success) throw new Error(`${channel}: the arguments are not valid`);
      return work(...parsed.data);
    });
  };
}

/** Whether a call comes from the top frame of this window while it shows one of these origins. */
export function isOwnSender(
  event: SenderEvent,
  windowContentsId: number | undefined,
  ownOrigins: readonly string[],
): boolean {
  const frame = event.senderFrame;
  if (frame === null || frame.parent !== null || event.sender.id !== windowContentsId) return false;
  return ownOrigins.includes(originOf(frame.url));
}

/** Returns `scheme://host`, also for our own scheme, for which URL.origin is "null". */
export function originOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? "" : `${url.protocol}//${url.host}`;
}
