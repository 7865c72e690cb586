import { type ListModelsResponse, type Model, ModelSchema } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { useId, useState } from "preact/hooks";
import type { App } from "../app.ts";
import { textOfError } from "../client.ts";
import { fits, modelWords } from "../text/model-words.ts";

interface ModelPickerProps {
  readonly app: App;
  /** The agent whose models are listed; empty for the default agent. */
  readonly agent: string;
  /** The chosen model; empty for the agent's default. */
  readonly value: string;
  /** Called when a model is chosen, or a name is typed and confirmed. */
  readonly onChange: (model: string) => void;
  /** Called when the field loses focus with an unconfirmed name in it. */
  readonly onLeave?: (typed: string) => void;
}

type Loaded = Pick<ListModelsResponse, "models" | "problems">;

const OWN_CHOICE = create(ModelSchema, { title: "Agent's default" });

/** More than anyone scrolls through; typing narrows the list. */
const MAX_SHOWN = 200;

/** Chooses a model from a list with details, or by typing any name. */
export function ModelPicker({ app, agent, value, onChange, onLeave }: ModelPickerProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(-1);
  const [found, setFound] = useState<{ readonly agent: string; readonly loaded: Loaded | string }>();
  const isOpen = typed !== undefined;
  const loaded = found?.agent === agent ? found.loaded : undefined;
  const models = typeof loaded === "object" ? loaded.models : [];
  const matching = models.filter((model) => fits(model, typed ?? ""));
  const shown = [...(value !== "" && typed === "" ? [OWN_CHOICE] : []), ...matching.slice(0, MAX_SHOWN)];
  const open = () => {
    setTyped("");
    setActive(-1);
    const settle = (what: Loaded | string) => setFound({ agent, loaded: what });
    app.client.models.listModels({ agent }).then(settle, (error: unknown) => settle(textOfError(error)));
  };
  const choose = (model: string) => {
    setTyped(undefined);
    if (model !== value) onChange(model);
  };
  const move = (by: number) => {
    const next = Math.min(Math.max(active + by, 0), shown.length - 1);
    setActive(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (isOpen) move(event.key === "ArrowDown" ? 1 : -1);
      else open();
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault();
      choose(shown[active]?.name ?? (typed.trim() || value));
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      setTyped(undefined);
    }
  };
  const leave = () => {
    if (typed?.trim()) onLeave?.(typed.trim());
    setTyped(undefined);
  };
  return (
    <div class="model-picker">
      <label for={id}>Model</label>
      <input
        id={id}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        {...(active >= 0 && { "aria-activedescendant": `${id}-${active}` })}
        value={typed ?? value}
        placeholder={isOpen && value !== "" ? value : "Agent's default"}
        spellcheck={false}
        autocomplete="off"
        onFocus={open}
        onClick={() => isOpen || open()}
        onBlur={leave}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
      />
      {isOpen && (
        <div class="model-list" onPointerDown={(event) => event.preventDefault()}>
          <div id={`${id}-list`} role="listbox" aria-label="Models">
            {shown.map((model, index) => (
              <Option
                key={`${model.provider} ${model.name}`}
                id={`${id}-${index}`}
                model={model}
                isActive={index === active}
                isChosen={model.name === value}
                choose={choose}
              />
            ))}
          </div>
          <Remarks loaded={loaded} matching={matching} typed={typed} />
        </div>
      )}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly model: Model;
  /** Whether the arrow keys have highlighted it. */
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly choose: (name: string) => void;
}

function Option({ id, model, isActive, isChosen, choose }: OptionProps) {
  const { name, title } = model;
  const about = modelWords(model);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the text field keeps the focus and handles the keys
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      class={isActive ? "model active" : "model"}
      onClick={() => choose(name)}
    >
      <span class="model-name">{name || title}</span>
      {name !== "" && title !== "" && <span class="model-title">{title}</span>}
      {about !== "" && <span class="model-about">{about}</span>}
    </div>
  );
}

interface RemarksProps {
  readonly loaded: Loaded | string | undefined;
  readonly matching: readonly Model[];
  readonly typed: string;
}

/** Remarks below the list: that models are loading, that more exist, or which providers failed. */
function Remarks({ loaded, matching, typed }: RemarksProps) {
  const remarks =
    loaded === undefined
      ? ["Loading models…"]
      : typeof loaded === "string"
        ? [loaded]
        : [
            ...(matching.length > MAX_SHOWN
              ? [`${matching.length - MAX_SHOWN} more: type part of the name`]
              : []),
            ...(matching.length > 0
              ? []
              : [
                  typed === ""
                    ? "No provider can be reached. Type a name that the agent knows."
                    : "No model in the list has this name; Enter uses it anyway.",
                ]),
            ...loaded.problems.map(({ problem }) => problem),
          ];
  return (
    <div class="model-remarks" role="status">
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
    </div>
  );
}
