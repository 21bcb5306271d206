import type { Inspection } from '../../src/ui/services';
import type { RuleId, SettingId } from '../../src/settings/settingTypes';

/** Shows in the running editor that a change of a setting changes what a user can observe, and puts all back. */
export interface Proof {
  /** A whole sentence about what a user can rely on. */
  readonly title: string;
  readonly prove: (inspection: Inspection) => Promise<void>;
}

type Tests = Readonly<Record<string, (inspection: Inspection) => Promise<void>>>;

/** Proofs that share what they need. */
export interface ProofGroup {
  readonly subject: string;
  /** Gives what takes it all back. */
  readonly setUp?: (inspection: Inspection) => Promise<() => Promise<void>>;
  /** The real programs are needed (test/support/programs.ts). */
  readonly needsPrograms?: true;
  /** What else users rely on in that state, by title: before the proofs, and after them. */
  readonly tests?: Tests;
  readonly lastTests?: Tests;
  readonly proofs: { readonly [Id in SettingId | RuleId]?: Proof };
}
