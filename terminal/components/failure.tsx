/** Why something was not done; null: nothing is to be said. */
export function Failure({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="gate-failed" role="alert">
      {text}
    </p>
  );
}
