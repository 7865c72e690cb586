import type { Question, Session } from "@agentwire/api";
import { parseInput, summaryOf } from "@agentwire/view/text";
import { hrefOf } from "../route.ts";
import type { State } from "../state.ts";
import { deadlineWords, titleOfSession } from "../text/words.ts";

const SHOWN = 8;

/** The start page: open questions, or a link to a new session. */
export function Home({ state: { sessions, waiting } }: { readonly state: State }) {
  const next = waiting[0];
  const titles = new Map(sessions.map((session: Session) => [session.id, titleOfSession(session)]));
  return (
    <div class="home">
      <h1>{next ? "An agent is waiting for you" : "Nothing needs your attention"}</h1>
      {next ? (
        <ul class="panel waiting-list" aria-label="Open questions">
          {waiting.slice(0, SHOWN).map((question) => (
            <li key={question.id}>
              <Waiting question={question} title={titles.get(question.sessionId) ?? ""} />
            </li>
          ))}
        </ul>
      ) : (
        <p>
          {sessions.length === 0
            ? "A session is a conversation with an agent in one of your folders. It continues whether or not anyone is watching."
            : "Sessions that need an answer, have failed or are running come first in the list."}
        </p>
      )}
      <p class="actions">
        {next && (
          <a class="button primary" href={hrefOf({ view: "session", id: next.sessionId })}>
            Go to the question
          </a>
        )}
        <a class={next ? "button" : "button primary"} href={hrefOf({ view: "new" })}>
          New session
        </a>
      </p>
    </div>
  );
}

function Waiting({ question, title }: { readonly question: Question; readonly title: string }) {
  const { sessionId, toolName, inputJson, userQuestions } = question;
  const [asked] = userQuestions;
  return (
    <a class="waiting-row" href={hrefOf({ view: "session", id: sessionId })}>
      <strong>{asked ? asked.header || "A question" : toolName}</strong>
      <span class="call-gist">{asked?.question ?? summaryOf(parseInput(inputJson))}</span>
      <span class="row-age">{[title, deadlineWords(question, Date.now())].filter(Boolean).join(" · ")}</span>
    </a>
  );
}
