import * as l10n from '@vscode/l10n';
import { quotedAscii } from '../../base/text';
import type { InstructionRule } from '../context';

/** The maximum length of a shown memo, bytes. */
const LONGEST_MEMO_BYTES = 566;

/** Lighthouse instructions 0 and 1 write memory; 2 to 17 are assertions (npm lighthouse-sdk 2.1.0). */
const LIGHTHOUSE_WRITES = [0, 1];
const LIGHTHOUSE_LAST_ASSERTION = 17;

/**
 * MEM-1: a memo moves no money; its text is shown. The program requires the signature of each account that a memo names. With the owner
 * among them, the owner signs the text, which could be a login to a site. SIG-4 covers other signers.
 */
export const reviewMemo: InstructionRule = (reading, { intent: { owner } }, notes) => {
  const { data, accounts } = reading.view;
  const text = Buffer.from(data.subarray(0, LONGEST_MEMO_BYTES)).toString('utf8');
  const quoted = quotedAscii(text);
  const shown = data.length > LONGEST_MEMO_BYTES ? l10n.t`${quoted} (first ${LONGEST_MEMO_BYTES} of ${data.length} bytes)` : quoted;
  if (accounts.some(({ address }) => address === owner)) {
    notes.confirm(
      'MEM-1',
      l10n.t`Your wallet would sign a text that this operation does not need: ${shown}. Others could use it as your login or consent.`,
      { address: owner },
    );
  } else {
    notes.info('MEM-1', l10n.t`The transaction contains a memo: ${shown}`);
  }
};

/** LGT-1: assertions protect the owner; other Lighthouse instructions have effects. */
export const reviewLighthouse: InstructionRule = (reading, _context, notes) => {
  const opcode = reading.view.data[0];
  if (opcode === undefined || opcode > LIGHTHOUSE_LAST_ASSERTION) {
    notes.block('LGT-1', l10n.t('The transaction sends an instruction to Lighthouse that Binsight does not know.'));
  } else if (LIGHTHOUSE_WRITES.includes(opcode)) {
    notes.confirm('LGT-1', l10n.t('The transaction allocates or frees memory with Lighthouse, which costs or refunds a little rent.'));
  }
};
