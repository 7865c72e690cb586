/** What is done when a stream ends, however it does. */
interface StreamEnd {
  /** It has come to its end; a throw here is told to the client. */
  readonly done?: () => void;
  /** It has failed; gives the error that the client is told. */
  readonly failed?: (error: unknown) => unknown;
  /** The client has left it. */
  readonly left?: () => void;
}

/** The same stream, with something done at its end. A generator in between would cost each message several turns of the job queue. */
export function atEnd<T>(messages: AsyncIterable<T>, { done, failed, left }: StreamEnd): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => {
      const inner = messages[Symbol.asyncIterator]();
      let isOver = false;
      const took = (result: IteratorResult<T>): IteratorResult<T> => {
        if (result.done && !isOver) {
          isOver = true;
          done?.();
        }
        return result;
      };
      const broke = (error: unknown): never => {
        if (isOver) throw error;
        isOver = true;
        throw failed ? failed(error) : error;
      };
      const leave = () => {
        if (!isOver) left?.();
        isOver = true;
      };
      return {
        next: () => inner.next().then(took, broke),
        throw: (error: unknown) => {
          leave();
          return inner.throw?.(error) ?? Promise.reject(error);
        },
        return: (value?: T) => {
          leave();
          return inner.return?.(value) ?? Promise.resolve({ done: true, value: value as T });
        },
      };
    },
  };
}
