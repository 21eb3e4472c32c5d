import type { CheckAddress } from "@comanda/protocol";
import { useDestination } from "./ticket-title.ts";

/**
 * The note of the whole check in the head of its ticket, and those of other checks on it that differ, with their place. A long
 * note is cut, so that the dishes stay in view, until it is tapped.
 */
export function CheckNotes({ of, others = [] }: { of: CheckAddress; others?: readonly CheckAddress[] | undefined }) {
  const destinationOf = useDestination();
  return [of, ...others].map((each) => {
    const { posReference, notes } = each;
    return (
      notes !== undefined &&
      (each === of || notes !== of.notes) && (
        <details key={posReference} className="ticket-note">
          <summary>
            <span className="kline-note">
              {each !== of && `→ ${destinationOf(of, each)}: `}
              {notes}
            </span>
          </summary>
        </details>
      )
    );
  });
}
