import { Disposition, type Question } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useEffect, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { hrefOf } from "../route.ts";
import { gist, parseInput } from "../text/tool-input.ts";
import { clock, dispositionWords } from "../text/words.ts";

const PAGE = 1000;
const SHOWN = 100;

/** Every question that was asked, and who decided it how: the latest first. */
export function Audit({ app }: { readonly app: App }) {
  const [questions, setQuestions] = useState<readonly Question[] | undefined>(undefined);
  useEffect(() => void app.attempt(() => latest(app)).then((found) => found && setQuestions(found)), []);
  return (
    <>
      <h2>Permission audit</h2>
      {questions?.length === 0 && <p>Nothing has been asked yet.</p>}
      {questions && questions.length > 0 && (
        <div class="table-frame" tabIndex={0}>
          <table class="facts">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Tool</th>
                <th scope="col">What</th>
                <th scope="col">How it ended</th>
                <th scope="col">By</th>
              </tr>
            </thead>
            <tbody>
              {questions.map((question) => (
                <Row key={question.id} question={question} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function Row({
  question: { sessionId, askedAt, toolName, inputJson, disposition, decidedBy, userQuestions },
}: {
  readonly question: Question;
}) {
  return (
    <tr>
      <td>{askedAt && clock(timestampMs(askedAt))}</td>
      <td>
        <a href={hrefOf({ view: "session", id: sessionId })}>{toolName}</a>
      </td>
      <td class="what">{userQuestions[0]?.question ?? gist(parseInput(inputJson))}</td>
      <td>
        <span
          class={`tag ${disposition === Disposition.ALLOWED ? "good" : disposition === Disposition.OPEN ? "warning" : ""}`}
        >
          {dispositionWords(disposition)}
        </span>
      </td>
      <td>{decidedBy}</td>
    </tr>
  );
}

/** They are listed from the oldest on, so the last page is the one that is wanted. */
async function latest({ client }: App): Promise<readonly Question[]> {
  let found: readonly Question[] = [];
  for (let pageToken = ""; ; ) {
    const page = await client.questions.listQuestions({ includeDecided: true, pageSize: PAGE, pageToken });
    found = [...found, ...page.questions].slice(-SHOWN);
    pageToken = page.nextPageToken;
    if (pageToken === "") return found.toReversed();
  }
}
