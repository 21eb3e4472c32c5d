import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

/** The bookings of a day; without a date the hub's today. */
export function useReservations(date: string | null) {
  return useQuery({
    ...hubQuery("reservations", { query: date === null ? {} : { date } }),
    placeholderData: keepPreviousData,
  });
}
