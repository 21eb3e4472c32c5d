import { TakeawayScreen } from "../../features/order/takeaway-screen.tsx";
import { PinOfferPlace } from "../pin-offer-place.tsx";

/** The checks without a table: where people come first in a house without tables. */
export function TakeawayPlace() {
  return (
    <>
      <TakeawayScreen />
      <PinOfferPlace />
    </>
  );
}
