import type { Model } from "@agentwire/api";
import { count } from "./words.ts";

/** Whether a model's name or title contains every typed word. */
export function fits({ name, title }: Model, typed: string): boolean {
  const text = `${name} ${title}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** A short description of a model; empty if only its name is known. */
export function modelWords(model: Model): string {
  const { contextWindow, prices, description } = model;
  const can = ABILITIES.flatMap(([key, word]) => (model[key] === true ? [word] : []));
  return [
    ...(description === "" ? [] : [description]),
    ...(contextWindow === undefined ? [] : [`${count(Number(contextWindow))} context`]),
    ...(prices ? [priceWords(prices.input, prices.output)] : []),
    ...(can.length > 0 ? [can.join(", ")] : []),
    ...(model.callsTools === false ? ["can't call tools"] : []),
  ].join(" · ");
}

const ABILITIES = [
  ["callsTools", "tools"],
  ["thinks", "thinking"],
  ["takesImages", "images"],
  ["takesDocuments", "documents"],
] as const;

const priceWords = (input: number, output: number) =>
  input === 0 && output === 0 ? "free" : `$${input} in, $${output} out per million tokens`;
