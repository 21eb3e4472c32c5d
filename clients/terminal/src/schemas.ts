import {
  brokenInput,
  Floors,
  ItemState,
  KitchenTicket,
  Learned,
  Menu,
  OfferedOrder,
  OrderMutation,
  PinUsers,
  PluginRecord,
  type RouteAnswer,
  StoredOrder,
  TableState,
  TillState,
  terminalApi,
  terminalLimits,
  type TerminalRouteName,
} from "@comanda/protocol";
import { type MessageRead, readHubMessage } from "./read-hub-message.ts";

export type TerminalAnswer<Name extends TerminalRouteName> = RouteAnswer<(typeof terminalApi.routes)[Name]>;

interface Problem {
  path: PropertyKey[];
  message: string;
}

/** Parses a value, or returns the problems with it. */
export interface Reader<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T; error?: undefined } | { success: false; data?: undefined; error: { issues: Problem[] } };
}

/** Parsers for messages and saved data of the hub, and checks of what is sent to it. */
export interface Schemas {
  /** False if only data saved by this exact version can be read. */
  readsOtherVersions: boolean;
  readMessage(value: unknown): MessageRead;
  storedOrder: Reader<StoredOrder>;
  table: Reader<TableState>;
  ticket: Reader<KitchenTicket>;
  itemState: Reader<ItemState>;
  till: Reader<TillState>;
  pluginRecord: Reader<PluginRecord>;
  menu: Reader<Menu>;
  learned: Reader<Learned>;
  floors: Reader<Floors>;
  people: Reader<TerminalAnswer<"people">>;
  offeredOrder: Reader<unknown>;
  /** Returns the reasons why the hub would never accept a mutation; empty if it may. */
  problemsOf(mutation: unknown): string[];
  answer<Name extends TerminalRouteName>(name: Name): Reader<TerminalAnswer<Name>>;
}

export const protocolSchemas: Schemas = {
  readsOtherVersions: true,
  readMessage: readHubMessage,
  storedOrder: StoredOrder,
  table: TableState,
  ticket: KitchenTicket,
  itemState: ItemState,
  till: TillState,
  pluginRecord: PluginRecord,
  menu: Menu,
  learned: Learned,
  floors: Floors,
  people: PinUsers,
  offeredOrder: OfferedOrder,
  problemsOf,
  answer: <Name extends TerminalRouteName>(name: Name) =>
    terminalApi.routes[name].answer as Reader<TerminalAnswer<Name>>,
};

function problemsOf(mutation: unknown): string[] {
  const read = OrderMutation.safeParse(mutation);
  if (!read.success) return read.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const broken = brokenInput(mutation, terminalLimits.messageDepth);
  return broken === null ? [] : [broken];
}
