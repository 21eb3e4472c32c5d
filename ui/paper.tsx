import type { ComponentType } from "react";
import "./paper.css";

/** A line of a document, laid out for the columns of a paper. */
interface Line {
  kind: "text" | "qr" | "barcode";
  text: string;
  size?: "tall" | "large" | undefined;
  bold?: true | undefined;
  inverse?: true | undefined;
}

/** As large as on a receipt, some 38 mm, which phones can read from paper. */
const QR_PX = 144;

/** A document as the printer prints it, for a preview and for printing in a browser. */
export function Paper({
  lines,
  columns,
  label,
  Code,
}: {
  lines: readonly Line[];
  columns: number;
  label: string;
  /** Draws a QR code. */
  Code: ComponentType<{ value: string; size: number; title: string }>;
}) {
  return (
    <article className="paper" aria-label={label} style={{ inlineSize: `${columns}ch` }}>
      {lines.map((line, index) => {
        if (line.kind === "qr") return <Code key={index} value={line.text} size={QR_PX} title={line.text} />;
        // Only shows that there is a barcode. Its characters are below.
        if (line.kind === "barcode") return <div key={index} className="paper-bars" />;
        const { text, size, bold, inverse } = line;
        return (
          <div key={index} data-size={size} data-bold={bold} data-inverse={inverse}>
            {text === "" ? "\u00a0" : text}
          </div>
        );
      })}
    </article>
  );
}
