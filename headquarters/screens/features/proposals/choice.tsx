import { ActButton } from "@comanda/ui/act-button.tsx";

/** One of a few. */
export function Choice<T extends string>({
  legend,
  options,
  value,
  nameOf,
  onChange,
}: {
  legend: string;
  options: readonly T[];
  value: T;
  nameOf: (option: T) => string;
  onChange: (option: T) => void;
}) {
  return (
    <fieldset className="chips">
      <legend>{legend}</legend>
      {options.map((option) => (
        <ActButton
          key={option}
          size="small"
          aria-pressed={option === value}
          onAct={() => onChange(option)}
          isRepeatable
        >
          {nameOf(option)}
        </ActButton>
      ))}
    </fieldset>
  );
}
