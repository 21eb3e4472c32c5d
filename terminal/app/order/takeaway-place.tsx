import { TakeawayScreen } from "../../features/order/takeaway-screen.tsx";
import { PinOfferPlace } from "../pin-offer-place.tsx";

/** The checks without a table. This is the main screen of a restaurant without tables. */
export function TakeawayPlace() {
  return (
    <>
      <TakeawayScreen />
      <PinOfferPlace />
    </>
  );
}
