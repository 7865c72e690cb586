/** One scraped value with its labels. */
export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Values that may be read asynchronously. */
export type Readings = readonly Sample[] | Promise<readonly Sample[]>;

/** A metric in the text format of Prometheus. */
export interface Instrument {
  text(): string | Promise<string>;
}

/** Counts upwards, separately for each combination of labels. */
export class Counter implements Instrument {
  readonly #name: string;
  readonly #help: string;
  readonly #labels: readonly string[];
  readonly #values = new Map<string, number>();

  constructor(name: string, help: string, ...labels: readonly string[]) {
    this.#name = name;
    this.#help = help;
    this.#labels = labels;
    if (labels.length === 0) this.#values.set("", 0);
  }

  /** Adds to the count for the given label values, in the order of the labels. */
  add(count: number, ...values: readonly string[]): void {
    const key = labelText(this.#labels, values);
    this.#values.set(key, (this.#values.get(key) ?? 0) + count);
  }

  /** The sum over all combinations of labels. */
  get total(): number {
    return [...this.#values.values()].reduce((sum, value) => sum + value, 0);
  }

  text(): string {
    const lines = [...this.#values].map(([labels, value]) => `${this.#name}${braced(labels)} ${value}\n`);
    return `${head(this.#name, "counter", this.#help)}${lines.join("")}`;
  }
}

interface Distribution {
  readonly counts: number[];
  sum: number;
  count: number;
}

/** Sorts durations in seconds into buckets. */
export class Histogram implements Instrument {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #labels: readonly string[];
  readonly #distributions = new Map<string, Distribution>();

  constructor(name: string, help: string, bounds: readonly number[], ...labels: readonly string[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
    this.#labels = labels;
    if (labels.length === 0) this.#of("");
  }

  observe(seconds: number, ...values: readonly string[]): void {
    const distribution = this.#of(labelText(this.#labels, values));
    const bucket = this.#bounds.findIndex((bound) => seconds <= bound);
    const index = bucket < 0 ? this.#bounds.length : bucket;
    distribution.counts[index] = (distribution.counts[index] ?? 0) + 1;
    distribution.sum += seconds;
    distribution.count++;
  }

  text(): string {
    const parts = [...this.#distributions].map(([labels, distribution]) =>
      this.#textOf(labels, distribution),
    );
    return `${head(this.#name, "histogram", this.#help)}${parts.join("")}`;
  }

  #of(key: string): Distribution {
    const known = this.#distributions.get(key);
    if (known) return known;
    const made = { counts: Array.from({ length: this.#bounds.length + 1 }, () => 0), sum: 0, count: 0 };
    this.#distributions.set(key, made);
    return made;
  }

  #textOf(labels: string, { counts, sum, count }: Distribution): string {
    let below = 0;
    const buckets = [...this.#bounds.map(String), "+Inf"].map((bound, index) => {
      below += counts[index] ?? 0;
      return `${this.#name}_bucket{${labels === "" ? "" : `${labels},`}le="${bound}"} ${below}\n`;
    });
    return `${buckets.join("")}${this.#name}_sum${braced(labels)} ${sum}\n${this.#name}_count${braced(labels)} ${count}\n`;
  }
}

/** A value that is read when it is scraped. */
export class Reading implements Instrument {
  readonly #name: string;
  readonly #kind: "gauge" | "counter";
  readonly #help: string;
  readonly #read: () => Readings;

  constructor(name: string, kind: "gauge" | "counter", help: string, read: () => Readings) {
    this.#name = name;
    this.#kind = kind;
    this.#help = help;
    this.#read = read;
  }

  async text(): Promise<string> {
    const lines = (await this.#read()).map(
      ([labels, value]) =>
        `${this.#name}${braced(labelText(Object.keys(labels), Object.values(labels)))} ${value}\n`,
    );
    return `${head(this.#name, this.#kind, this.#help)}${lines.join("")}`;
  }
}

const head = (name: string, kind: string, help: string) => `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`;

const braced = (labels: string) => (labels === "" ? "" : `{${labels}}`);

const labelText = (names: readonly string[], values: readonly string[]) =>
  names.map((name, index) => `${name}="${escaped(values[index] ?? "")}"`).join(",");

const escaped = (value: string) => value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
