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
