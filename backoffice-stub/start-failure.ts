/** A reason not to start that the operator can remove; the message is one plain sentence for them. */
export class StartFailure extends Error {
  override name = "StartFailure";
}
