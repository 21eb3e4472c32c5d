import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { useStore } from "@comanda/ui/store.ts";
import { signedInByForm } from "../lib/device/signed-in-by-form.ts";

const PinOffer = lazyPart(() => import("../features/staff/pin-offer.tsx"), "PinOffer");

/** Offers a PIN on the screens where users start, but not in the kitchen: the offer is for one user only. */
export function PinOfferPlace() {
  const isSignedInByForm = useStore(signedInByForm) !== null;
  return isSignedInByForm && <PinOffer />;
}
