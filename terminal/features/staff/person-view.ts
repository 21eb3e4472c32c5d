/** The parts of the person sheet. */
export type PersonView = "people" | "more" | "account" | "newPin" | "handover";
