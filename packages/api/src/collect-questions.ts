import type { ListQuestionsResponse, Question } from "./generated/agentwire/v1/question_pb.ts";

/** Which questions to list, as in `ListQuestionsRequest`. */
export interface WantedQuestions {
  readonly sessionId?: string;
  readonly includeDecided?: boolean;
  /** How many at most; 1,000 by default. */
  readonly pageSize?: number;
}

/** The part of a client that lists questions. */
export interface QuestionLister<Options> {
  listQuestions(
    request: WantedQuestions & { readonly pageToken: string },
    options?: Options,
  ): Promise<Pick<ListQuestionsResponse, "questions" | "nextPageToken">>;
}

/** Lists questions in as many calls as it takes to get `pageSize` of them, or all there are: a page of large ones ends early. */
export async function collectQuestions<Options>(
  service: QuestionLister<Options>,
  wanted: WantedQuestions,
  options?: Options,
): Promise<{ readonly questions: Question[]; readonly nextPageToken: string }> {
  const { pageSize: max = 1000, ...which } = wanted;
  const questions: Question[] = [];
  let pageToken = "";
  do {
    const pageSize = max - questions.length;
    const page = await service.listQuestions({ ...which, pageSize, pageToken }, options);
    questions.push(...page.questions);
    pageToken = page.nextPageToken;
  } while (pageToken !== "" && questions.length < max);
  return { questions, nextPageToken: pageToken };
}
