import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { useStore } from "@comanda/ui/store.ts";
import { signedInByForm } from "../lib/device/signed-in-by-form.ts";

const PinOffer = lazyPart(async () => (await import("../features/staff/pin-offer.tsx")).PinOffer);

/** What concerns one person alone is asked where people come first, and not at a screen of the kitchen. */
export function PinOfferPlace() {
  const isSignedInByForm = useStore(signedInByForm) !== null;
  return isSignedInByForm && <PinOffer />;
}
