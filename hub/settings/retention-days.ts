/** What is kept of finished orders, and for how long. */
export interface RetentionDays {
  /** After so many days the versions of a finished order are thinned. */
  historyDays: number;
  /** After so many days it is removed. */
  retentionDays: number;
}
