import { Redirect } from "wouter";
import { FloorScreen } from "../features/floor/floor-screen.tsx";
import { useHasTables } from "../lib/connection/has-tables.ts";
import { PinOfferPlace } from "./pin-offer-place.tsx";

/** The floor, or for a restaurant without tables the takeaway screen. */
export function FloorPlace() {
  if (!useHasTables()) return <Redirect to="/takeaway" replace />;
  return (
    <>
      <FloorScreen />
      <PinOfferPlace />
    </>
  );
}
