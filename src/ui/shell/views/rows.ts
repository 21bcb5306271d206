/** What a row of a tree shows; made without VS Code, so that it can be tested without it. */
export interface Row {
  /** Stable for as long as the thing itself exists. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly icon: RowIcon;
  /** The row as a sentence, for screen readers. */
  readonly spoken: string;
  /** Words for `when` clauses: "position outOfRange". */
  readonly contextValue: string;
}

/** A codicon, and the theme colour that underlines (never carries) its meaning. */
export interface RowIcon {
  readonly id: string;
  readonly color?: string;
}

/** Parts of a description that are known, with a dot between them. */
export function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Whether two rows look and sound the same. */
export function sameRow(one: Row, other: Row): boolean {
  return (
    one.id === other.id &&
    one.label === other.label &&
    one.description === other.description &&
    one.icon.id === other.icon.id &&
    one.icon.color === other.icon.color &&
    one.spoken === other.spoken &&
    one.contextValue === other.contextValue
  );
}
