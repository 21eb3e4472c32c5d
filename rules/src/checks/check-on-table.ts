/** An active check, as another one that may not be there beside it needs to know it. */
export interface CheckOnTable {
  posReference: string;
  checkNumber: number | null;
}
