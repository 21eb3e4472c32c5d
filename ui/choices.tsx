import { ActButton } from "./act-button.tsx";
import type { ComponentProps, ReactNode } from "react";

/** A button for each thing that can be chosen; what is chosen is pressed. */
export function Choices<T extends string | number>({
  legend,
  of: options,
  chosen,
  text = String,
  label,
  onChoose,
  size = "large",
  isRepeatable = false,
  children,
  ...group
}: {
  /** What is chosen, where people have to be told. */
  legend?: ReactNode;
  of: readonly T[];
  /** One of them, or none; a list where several can be. */
  chosen: T | readonly T[] | null;
  text?: (option: T) => ReactNode;
  /** Read aloud in place of the text. */
  label?: (option: T) => string | undefined;
  onChoose: (option: T) => void;
  /** What stands beside them. */
  children?: ReactNode;
} & Pick<ComponentProps<typeof ActButton>, "size" | "isRepeatable" | "className" | "aria-label">) {
  return (
    <fieldset className="chips" {...group}>
      {legend !== undefined && <legend>{legend}</legend>}
      {options.map((option) => (
        <ActButton
          key={option}
          aria-label={label?.(option)}
          aria-pressed={typeof chosen === "object" ? chosen?.includes(option) === true : chosen === option}
          size={size}
          isRepeatable={isRepeatable}
          onAct={() => onChoose(option)}
        >
          {text(option)}
        </ActButton>
      ))}
      {children}
    </fieldset>
  );
}
