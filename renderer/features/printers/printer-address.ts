/** Completes a typed address: a device on the network needs no `tcp://`. */
export function printerAddress(typed: string): string {
  const address = typed.trim();
  return /^[\w-]+(?:\.[\w-]+)+(?::\d+)?$/.test(address) ? `tcp://${address}` : address;
}
