import { networkInterfaces } from "node:os";
import type { PrinterState } from "@comanda/protocol";
import type { World } from "../platform/world.ts";
import { openTcp, RAW_PORT } from "./tcp-line.ts";

const MAX_ADDRESSES = 1_024;
const WITHIN_MS = 8_000;
const CONCURRENCY = 256;
/** Printers on the same network answer in a few ms. Unused addresses do not answer. */
const CONNECT_MS = 1_000;

/** Finds printers on this PC's networks, with their states. */
export async function findPrinters(world: World): Promise<{ address: string; state: PrinterState }[]> {
  const waiting = ownAddresses();
  const found: { address: string; state: PrinterState }[] = [];
  const endAt = world.clock.monotonic() + WITHIN_MS;
  const probe = async (): Promise<void> => {
    for (let host = waiting.shift(); host !== undefined; host = waiting.shift()) {
      if (world.clock.monotonic() + CONNECT_MS > endAt) return;
      const state = await stateAt(world, host);
      if (state !== null) found.push({ address: `tcp://${host}`, state });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, probe));
  return found.toSorted((a, b) => a.address.localeCompare(b.address, "en", { numeric: true }));
}

async function stateAt(world: World, host: string): Promise<PrinterState | null> {
  try {
    const line = await openTcp(world, host, RAW_PORT, CONNECT_MS);
    line.close();
    return line.state;
  } catch {
    return null;
  }
}

/** Returns every IPv4 address of this PC's networks; of a large network, only those near its own. */
function ownAddresses(): string[] {
  const hosts = new Set<string>();
  for (const { family, internal, address, netmask } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
    if (family !== "IPv4" || internal) continue;
    const own = asNumber(address);
    const mask = Math.max(asNumber(netmask), 0xffffff00);
    const first = (own & mask) >>> 0;
    const last = (first | (~mask >>> 0)) >>> 0;
    hosts.add(address);
    for (let host = first + 1; host < last; host += 1) hosts.add(asAddress(host));
  }
  return [...hosts].slice(0, MAX_ADDRESSES);
}

function asNumber(address: string): number {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function asAddress(host: number): string {
  return [24, 16, 8, 0].map((shift) => (host >>> shift) & 255).join(".");
}
