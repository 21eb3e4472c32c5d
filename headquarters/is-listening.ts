import { once } from "node:events";
import { connect, type NetConnectOpts } from "node:net";

/** Returns whether a program listens on an address. */
export async function isListening(address: NetConnectOpts): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
