/** A DNS label has 63 bytes; six are left for the `-(99)` that distinguishes hubs of the same name. */
const MAX_BYTES = 57;

/** As much of a hub's name as the local network can carry: whole characters, and not ending in a dot or space. */
export function announcedName(name: string): string {
  let short = "";
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    if (Buffer.byteLength(short + segment) > MAX_BYTES) break;
    short += segment;
  }
  const shown = short.replace(/[.\s]+$/, "");
  return shown === "" ? "Comanda Hub" : shown;
}
