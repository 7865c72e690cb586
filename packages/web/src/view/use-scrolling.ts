import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { OpenSession, SessionView } from "../session/open-session.ts";
import { type Anchor, anchorOf, isAtEnd, restore, scrollTo } from "./scroll.ts";

/** The next page is loaded when an edge is closer than this. */
const EDGE_PX = 1200;

/** Keeps the visible items in place while pages and events arrive, and loads pages as the user scrolls. */
export function useScrolling(
  session: OpenSession | undefined,
  { excerpt, facts, isPaging }: Extract<SessionView, { type: "open" }>,
) {
  const frame = useRef<HTMLElement>(null);
  const anchor = useRef<Anchor | undefined>(undefined);
  const target = useRef<number | undefined>(undefined);
  const [isFollowing, setFollowing] = useState(true);
  const [atSeq, setAtSeq] = useState(facts.seq);

  const look = () => {
    const element = frame.current;
    if (!element || !session) return;
    anchor.current = anchorOf(element);
    if (anchor.current) setAtSeq(anchor.current.seq);
    setFollowing(isAtEnd(element) && !excerpt.hasNewer);
    if (element.scrollTop < EDGE_PX && excerpt.hasOlder) void session.older();
    else if (element.scrollHeight - element.scrollTop - element.clientHeight < EDGE_PX && excerpt.hasNewer)
      void session.newer();
  };

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    if (target.current !== undefined && scrollTo(element, target.current)) target.current = undefined;
    else if (isFollowing && !excerpt.hasNewer) element.scrollTop = element.scrollHeight;
    else restore(element, anchor.current);
    anchor.current = anchorOf(element);
  }, [excerpt, isFollowing]);
  // Checks again after each page: it may not have filled the frame, or the user may have scrolled past it.
  useEffect(look, [excerpt, isPaging]);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      if (isFollowing) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isFollowing]);

  const jump = (seq: number) => {
    target.current = seq;
    setFollowing(false);
    void session?.jump(seq);
  };
  const toLatest = async () => {
    await session?.latest();
    setFollowing(true);
    const element = frame.current;
    if (element) element.scrollTop = element.scrollHeight;
  };
  return { frame, isFollowing, atSeq, look, jump, toLatest };
}
