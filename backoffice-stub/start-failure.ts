/** A start failure that the operator can fix. The message is one plain sentence for the operator. */
export class StartFailure extends Error {
  override name = "StartFailure";
}
