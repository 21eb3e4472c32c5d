import "./gate.css";

/** Shows why an act failed; renders nothing if null. */
export function Failure({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="gate-failed" role="alert">
      {text}
    </p>
  );
}
