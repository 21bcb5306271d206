/** A row of a tree, independent of VS Code so that unit tests can build it. */
export interface Row {
  /** Stable as long as the item exists. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly icon: RowIcon;
  /** Colors the label. A sign in the description says the same. */
  readonly tone?: RowTone | undefined;
  /** Label for screen readers. */
  readonly spoken: string;
  /** Keywords for `when` clauses: "position outOfRange". */
  readonly contextValue: string;
}

/** A profit or a loss. */
export type RowTone = 'gain' | 'loss';

/** A codicon and its theme color. The color never carries the meaning alone. */
export interface RowIcon {
  readonly id: string;
  readonly color?: string;
}

/** Joins the known parts of a description with dots. */
export function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Tells whether two rows look and sound the same. */
export function sameRow(one: Row, other: Row): boolean {
  return (
    one.id === other.id &&
    one.label === other.label &&
    one.description === other.description &&
    one.icon.id === other.icon.id &&
    one.icon.color === other.icon.color &&
    one.tone === other.tone &&
    one.spoken === other.spoken &&
    one.contextValue === other.contextValue
  );
}
