import { ACCOUNTS } from './accounts';
import { ADDS } from './adds';
import type { Attack } from './attack';
import { BYTES } from './bytes';
import { CLAIMS } from './claims';
import { DAMM_AND_ZAP } from './damm';
import { DEPOSIT_PRICES } from './depositPrices';
import { DLMM } from './dlmm';
import { EXCHANGES } from './exchanges';
import { FIGURES } from './figures';
import { INCIDENTS } from './incidents';
import { LIMITS_OF_OPERATIONS } from './limits';
import { NATIVES } from './natives';
import { OPENINGS } from './openings';
import { SIGNERS } from './signers';
import { SIMULATED } from './simulated';
import { SWAPS } from './swaps';
import { TOKENS } from './tokens';
import { TOKENS_AT_HAND } from './tokensIn';
import { VERSION_1 } from './version1';
import { VERSION_1_FEES } from './version1Fees';

/** All attacks: first the incidents, then the others in the order of the rules in src/review/README.md. */
export const CORPUS: readonly Attack[] = [
  ...INCIDENTS,
  ...BYTES,
  ...VERSION_1,
  ...VERSION_1_FEES,
  ...SIGNERS,
  ...NATIVES,
  ...TOKENS,
  ...DLMM,
  ...DEPOSIT_PRICES,
  ...OPENINGS,
  ...DAMM_AND_ZAP,
  ...CLAIMS,
  ...ADDS,
  ...EXCHANGES,
  ...SWAPS,
  ...LIMITS_OF_OPERATIONS,
  ...TOKENS_AT_HAND,
  ...SIMULATED,
  ...ACCOUNTS,
  ...FIGURES,
];
