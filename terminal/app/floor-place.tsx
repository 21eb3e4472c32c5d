import { useStore } from "@comanda/ui/store.ts";
import { Suspense } from "react";
import { FloorScreen } from "../features/floor/floor-screen.tsx";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { signedInByForm } from "../lib/device/signed-in-by-form.ts";

const PinOffer = lazyPart(async () => (await import("../features/staff/pin-offer.tsx")).PinOffer);

/** The floor, where people come first: what concerns one of them alone is asked here, and not at a screen of the kitchen. */
export function FloorPlace() {
  const isSignedInByForm = useStore(signedInByForm) !== null;
  return (
    <>
      <FloorScreen />
      {isSignedInByForm && (
        <Suspense fallback={null}>
          <PinOffer />
        </Suspense>
      )}
    </>
  );
}
