import { ActButton } from "@comanda/ui/act-button.tsx";
import type { ComponentProps, ReactNode } from "react";

/** A button for each thing that can be chosen; what is chosen is pressed. */
export function Choices<T extends string | number>({
  legend,
  of: options,
  chosen,
  text = String,
  onChoose,
  size = "large",
  isRepeatable = false,
  ...group
}: {
  /** What is chosen, where people have to be told. */
  legend?: ReactNode;
  of: readonly T[];
  /** One of them, or none; a list where several can be. */
  chosen: T | readonly T[] | null;
  text?: (option: T) => ReactNode;
  onChoose: (option: T) => void;
} & Pick<ComponentProps<typeof ActButton>, "size" | "isRepeatable" | "className" | "aria-label">) {
  return (
    <fieldset className="chips" {...group}>
      {legend !== undefined && <legend>{legend}</legend>}
      {options.map((option) => (
        <ActButton
          key={option}
          aria-pressed={typeof chosen === "object" ? chosen?.includes(option) === true : chosen === option}
          size={size}
          isRepeatable={isRepeatable}
          onAct={() => onChoose(option)}
        >
          {text(option)}
        </ActButton>
      ))}
    </fieldset>
  );
}
