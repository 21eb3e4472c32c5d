import { cloneElement, createContext, useContext, useEffect, type ReactElement, type ReactNode } from "react";
import { asFailure } from "../lib/hub-failure.ts";
import { useIssueText } from "./failure-words.ts";

interface FormErrors {
  error: unknown;
  /** The fields that show their own issues. */
  fields: Set<string>;
}

/** The error of the form around a field; null when there is none. */
export const FormErrorContext = createContext<FormErrors>({ error: null, fields: new Set() });

interface FormFieldProps {
  /** Its name in the request. */
  name: string;
  children: ReactElement<{ error?: ReactNode }>;
}

/** A field of a form that shows what is wrong with it, whether the page or the hub has found it. */
export function FormField({ name, children }: FormFieldProps) {
  const { error, fields } = useContext(FormErrorContext);
  const issueText = useIssueText();
  useEffect(() => {
    fields.add(name);
    return () => void fields.delete(name);
  }, [fields, name]);
  if (error === null) return children;
  const issue = asFailure(error).explanation.issues?.find(({ path }) => path[0] === name);
  return issue === undefined ? children : cloneElement(children, { error: issueText(issue, false) });
}
