import type { User } from "../stores/users.ts";

/** Login of the hub's account, which may request a credit note on behalf of a user with the permission to refund. */
export const HUB_LOGIN = "hub";

/** Each password equals the login. The hub's account reads as a manager but cannot refund itself. */
export const users: readonly User[] = [
  { id: 2, login: HUB_LOGIN, name: "Hub", role: "manager", permissions: [] },
  { id: 6, login: "manager", name: "Marisol Peña", role: "manager", permissions: ["refund"] },
  { id: 7, login: "cashier", name: "Carlos Jiménez", role: "cashier", permissions: [] },
  { id: 8, login: "waiter", name: "Wendy Almonte", role: "waiter", permissions: [] },
  { id: 9, login: "clerk", name: "Clara Rosario", role: "manager", permissions: [] },
];

interface SeedCustomer {
  id: number;
  name: string;
  rnc: string | null;
  phone: string | null;
  creditLimit: number;
}

/** Customers with and without credit, tax number and phone. */
export const customers: readonly SeedCustomer[] = [
  { id: 51, name: "Constructora del Este SRL", rnc: "131246789", phone: "809-555-0151", creditLimit: 50_000 },
  { id: 52, name: "Ana Lucía Méndez", rnc: "00114272360", phone: "829-555-0152", creditLimit: 5_000 },
  { id: 53, name: "Hotel Bahía SA", rnc: "101889901", phone: "809-555-0153", creditLimit: 120_000 },
  { id: 54, name: "Pedro Guzmán", rnc: null, phone: "849-555-0154", creditLimit: 0 },
  { id: 55, name: "Consumidor final", rnc: null, phone: null, creditLimit: 0 },
];
