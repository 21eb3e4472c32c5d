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

/** As large as a receipt printer makes it, some 38 mm: phones read it from paper. */
const QR_PX = 144;

/** A document as it comes out of the printer: for a look at it, and for a browser that prints it. */
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
        // That there is one; its signs stand below it.
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
