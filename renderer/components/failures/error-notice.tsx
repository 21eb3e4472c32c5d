import { Button } from "@mantine/core";
import { useTranslation } from "@comanda/ui/translation.ts";
import { asFailure } from "../../lib/hub-failure.ts";
import { useFailureTexts, useIssueText } from "./use-failure-texts.ts";
import { toneIcon } from "../layout/status-mark.tsx";
import { TechnicalDetail } from "./technical-detail.tsx";

interface ErrorNoticeProps {
  error: unknown;
  onRetry?: () => void;
  /** Fields of the surrounding form that show their own issues, by their name in the request. */
  fields?: ReadonlySet<string>;
}

/** Shows what happened, what it means, what to do, and the stable code. The hub's English sentence is folded. */
export function ErrorNotice({ error, onRetry, fields }: ErrorNoticeProps) {
  const { t } = useTranslation(["common", "issue"]);
  const describe = useFailureTexts();
  const issueText = useIssueText();
  const failure = asFailure(error);
  const { what, todo, quote } = describe(failure);
  const issues = (failure.explanation.issues ?? []).filter(({ path }) => fields?.has(String(path[0])) !== true);
  // If a field breaks several rules, only the first is listed.
  const firsts = new Map(issues.toReversed().map((issue) => [issue.path.join("."), issue]));
  const listed = [...firsts.values()].toReversed().map((issue) => issueText(issue, true));
  const Icon = toneIcon.bad;
  return (
    <div className="tight chips error-notice" role="alert" data-tone="bad">
      <Icon size={20} aria-hidden />
      <div>
        <p className="error-what">{what}</p>
        {todo !== null && <p>{failure.explanation.issues === undefined ? todo : t("issue:check")}</p>}
        {listed.length > 0 && (
          <ul className="error-issues">
            {listed.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        {quote !== null && <p>{quote}</p>}
        <p className="error-code mono">{failure.code}</p>
        <TechnicalDetail text={failure.message} />
      </div>
      {onRetry !== undefined && (
        <Button variant="default" size="xs" onClick={onRetry}>
          {t("again")}
        </Button>
      )}
    </div>
  );
}
