import { Component, type FunctionComponent, h } from "preact";

/** Re-renders a component only if one of its props has changed. */
export function memo<P extends object>(View: FunctionComponent<P>): new () => Component<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = this.props as Readonly<P>;
      return (Object.keys(next) as (keyof P)[]).some((name) => next[name] !== before[name]);
    }

    override render() {
      return h(View, this.props as P);
    }
  };
}
