import type { FolderRepository } from "@agentwire/api";
import { FieldProblem } from "./field-problem.tsx";

/** The branch or worktree that a session works in. */
export interface Place {
  /** The branch to check out, or the base of the worktree; empty for the current branch. */
  readonly branch: string;
  /** Whether to create the branch. */
  readonly isNew: boolean;
  /** Whether the session gets a separate worktree. */
  readonly isAlone: boolean;
  /** The name of the worktree; empty for a random one. */
  readonly name: string;
}

/** The folder as it is, with the current branch and no worktree. */
export const AS_IT_IS: Place = { branch: "", isNew: false, isAlone: false, name: "" };

const NEW = "\0new";

interface BranchChoiceProps {
  /** Undefined if the folder is not in a repository, or while that is unknown. */
  readonly repository: FolderRepository | undefined;
  readonly value: Place;
  /** The error about branch or worktree from the last submission; empty if none. */
  readonly problem: string;
  readonly onChange: (place: Place) => void;
}

/** Chooses a branch, or a worktree and its base branch. */
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
        Use a separate git worktree
      </label>
      <div class="fields">
        {repository && (
          <label>
            {isAlone ? "Base branch" : "Branch"}
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
            New branch name
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
            Worktree name
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
