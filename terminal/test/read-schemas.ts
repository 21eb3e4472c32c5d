/** All that clients/terminal reads by a schema. */
export {
  Floors,
  HubMessage,
  ItemState,
  KitchenTicket,
  Menu,
  OfferedOrder,
  OrderMutation,
  PinUsers,
  PluginRecord,
  Reservation,
  StoredOrder,
  TableState,
  terminalApi,
} from "@comanda/protocol";
