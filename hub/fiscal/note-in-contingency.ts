import { contingencyTypeOf, isElectronic } from "@comanda/rules";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OrderStore } from "../orders/store/order-store.ts";

/** Wraps `creditNote`: asks for a note on paper for an electronic receipt while the back-office cannot sign. */
export function noteInContingency(
  client: Pick<BackOfficeClient, "creditNote">,
  orders: Pick<OrderStore, "get">,
  isContingency: () => boolean,
): Pick<BackOfficeClient, "creditNote"> {
  return {
    creditNote(token, request, caller) {
      const isOfElectronic = isElectronic(orders.get(request.pos_reference)?.snapshot.ncf);
      const type = isOfElectronic && isContingency() ? contingencyTypeOf("E34") : undefined;
      return client.creditNote(token, { ...request, ...(type !== undefined && { type }) }, caller);
    },
  };
}
