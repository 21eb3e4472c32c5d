import { createEditLease, realWorld, type EditLease, type Terminal } from "@comanda/terminal";

const leases = new WeakMap<Terminal, EditLease>();

/** Returns the lease for the check edited on this page. It ends when the page is idle or hidden. */
export function editLeaseOf(terminal: Terminal): EditLease {
  const existing = leases.get(terminal);
  if (existing !== undefined) return existing;
  const lease = createEditLease(terminal, realWorld().timers);
  leases.set(terminal, lease);
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, lease.touched, { capture: true });
  // A hidden page is not being edited.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) lease.done();
  });
  return lease;
}
