import { createEditLease, realWorld, type EditLease, type Terminal } from "@comanda/terminal";

const leases = new WeakMap<Terminal, EditLease>();

/** What holds the check that somebody edits on this page; it ends when the page is left alone or hidden. */
export function editLeaseOf(terminal: Terminal): EditLease {
  const known = leases.get(terminal);
  if (known !== undefined) return known;
  const lease = createEditLease(terminal, realWorld().timers);
  leases.set(terminal, lease);
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, lease.touched, { capture: true });
  // In a pocket, or behind another page, nobody edits.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) lease.done();
  });
  return lease;
}
