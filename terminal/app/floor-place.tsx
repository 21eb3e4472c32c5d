import { Redirect } from "wouter";
import { FloorScreen } from "../features/floor/floor-screen.tsx";
import { useHasTables } from "../lib/connection/has-tables.ts";
import { PinOfferPlace } from "./pin-offer-place.tsx";

/** The floor; where a house has none, its checks without a table. */
export function FloorPlace() {
  if (!useHasTables()) return <Redirect to="/takeaway" replace />;
  return (
    <>
      <FloorScreen />
      <PinOfferPlace />
    </>
  );
}
