import type { FolderRepository } from "@agentwire/api";
import { FieldProblem } from "./field-problem.tsx";

/** Where in a repository a session works. */
export interface Place {
  /** The branch that is checked out first, or that the worktree begins with; empty for what is checked out. */
  readonly branch: string;
  /** Whether the branch is a new one. */
  readonly isNew: boolean;
  /** Whether it gets a worktree of its own. */
  readonly isAlone: boolean;
  /** The name of that worktree; empty for a random one. */
  readonly name: string;
}

/** In the folder as it is. */
export const AS_IT_IS: Place = { branch: "", isNew: false, isAlone: false, name: "" };

const NEW = "\0new";

interface BranchChoiceProps {
  /** Undefined if the folder is in no repository, or that is not known yet. */
  readonly repository: FolderRepository | undefined;
  readonly value: Place;
  /** What was said about branch and worktree when the form was sent. */
  readonly problem: string;
  readonly onChange: (place: Place) => void;
}

/** Chooses a branch, or a worktree and the branch that it begins with. */
export function BranchChoice({ repository, value, problem, onChange }: BranchChoiceProps) {
  const { branch, isNew, isAlone, name } = value;
  const change = (changes: Partial<Place>) => onChange({ ...value, ...changes });
  const others = repository?.branches.filter((one) => one !== repository.branch) ?? [];
  return (
    <fieldset class="branch-choice">
      <legend class="hidden">Branch and worktree</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={isAlone}
          onChange={(event) => change({ isAlone: event.currentTarget.checked, branch: "", isNew: false })}
        />
        Work in a git worktree of its own
      </label>
      <div class="fields">
        {repository && (
          <label>
            {isAlone ? "Worktree begins with" : "Branch"}
            <select
              value={isNew ? NEW : branch}
              onChange={({ currentTarget: { value: chosen } }) =>
                change(chosen === NEW ? { branch: "", isNew: true } : { branch: chosen, isNew: false })
              }
            >
              <option value="">{repository.branch || "no branch"} (checked out)</option>
              {others.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
              {!isAlone && <option value={NEW}>New branch…</option>}
            </select>
          </label>
        )}
        {isNew && (
          <label>
            Name of the new branch
            <input
              value={branch}
              required
              spellcheck={false}
              onInput={(event) => change({ branch: event.currentTarget.value })}
            />
          </label>
        )}
        {isAlone && (
          <label>
            Name of the worktree
            <input
              value={name}
              placeholder="Random"
              spellcheck={false}
              onInput={(event) => change({ name: event.currentTarget.value })}
            />
          </label>
        )}
      </div>
      <FieldProblem id="branch-problem" text={problem} />
    </fieldset>
  );
}
