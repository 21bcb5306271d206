import type { Inspection } from '../../src/ui/services';
import type { NOTICE_SETTING } from '../../src/ui/notices/noticeSettings';
import type { SETTING } from '../../src/ui/shell/names';

/** The id of a setting. */
export type SettingId = (typeof SETTING)[keyof typeof SETTING] | (typeof NOTICE_SETTING)[keyof typeof NOTICE_SETTING];

/** Shows in the running editor that a change of a setting changes what a user can observe, and puts all back. */
export interface Proof {
  /** A whole sentence about what a user can rely on. */
  readonly title: string;
  readonly prove: (inspection: Inspection) => Promise<void>;
}

type Tests = Readonly<Record<string, (inspection: Inspection) => Promise<void>>>;

/** Proofs that share what they need. */
export interface ProofGroup<Id extends SettingId> {
  readonly subject: string;
  /** Gives what takes it all back. */
  readonly setUp?: (inspection: Inspection) => Promise<() => Promise<void>>;
  /** The real programs are needed (test/support/programs.ts). */
  readonly needsPrograms?: true;
  /** What else users rely on in that state, by title: before the proofs, and after them. */
  readonly tests?: Tests;
  readonly lastTests?: Tests;
  readonly proofs: Readonly<Record<Id, Proof>>;
}
