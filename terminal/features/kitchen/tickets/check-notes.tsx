import type { CheckAddress } from "@comanda/protocol";
import { useDestination } from "./ticket-title.ts";

type Address = Omit<CheckAddress, "posReference">;

/** The note of the whole check in the head of its ticket, and those of other checks on it that differ, with their place. */
export function CheckNotes({
  address,
  alsoFor = [],
}: {
  address: Address;
  alsoFor?: readonly CheckAddress[] | undefined;
}) {
  const destinationOf = useDestination();
  const others = alsoFor.filter(({ notes }) => notes !== undefined && notes !== address.notes);
  return (
    <>
      {address.notes !== undefined && <CheckNote text={address.notes} />}
      {others.map((other) => (
        <CheckNote key={other.posReference} text={`→ ${destinationOf(address, other)}: ${other.notes}`} />
      ))}
    </>
  );
}

/** A long note is cut, so that the dishes stay in view, until it is tapped. */
function CheckNote({ text }: { text: string }) {
  return (
    <details className="ticket-note">
      <summary>
        <span>{text}</span>
      </summary>
    </details>
  );
}
