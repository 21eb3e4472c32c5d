/** The identity of an active check, as rules about other checks on its table need it. */
export interface CheckOnTable {
  posReference: string;
  checkNumber: number | null;
}
