/** Callbacks for the end of a stream. */
interface StreamEnd {
  /** The stream completed; an error thrown here is sent to the client. */
  readonly done?: () => void;
  /** The stream failed; returns the error to send to the client. */
  readonly failed?: (error: unknown) => unknown;
  /** The client left the stream. */
  readonly left?: () => void;
}

/** The same stream with callbacks at its end. A generator in between would cost each message several turns of the job queue. */
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
