import * as l10n from '@vscode/l10n';
import { quotedAscii } from '../../base/text';
import type { InstructionRule } from '../context';

/** Longest text that is shown, in bytes. */
const LONGEST_MEMO_BYTES = 566;

/** Lighthouse instructions that write, and those that only compare (npm lighthouse-sdk 2.1.0). */
const LIGHTHOUSE_WRITES = [0, 1];
const LIGHTHOUSE_LAST_ASSERTION = 17;

/**
 * Policy §4, MEM-1, and amendment A4: a memo moves no money; its text is shown. The program demands the signatures of all accounts that
 * a memo names: with the owner's, the text is one that the owner has signed, such as a login to a site. Other signers are judged with
 * all signers (SIG-4).
 */
export const reviewMemo: InstructionRule = (reading, { intent: { owner } }, notes) => {
  const { data, accounts } = reading.view;
  const text = Buffer.from(data.subarray(0, LONGEST_MEMO_BYTES)).toString('utf8');
  const shown = `${quotedAscii(text)}${data.length > LONGEST_MEMO_BYTES ? l10n.t`, of which ${LONGEST_MEMO_BYTES} of ${data.length} bytes are shown` : ''}`;
  if (accounts.some(({ address }) => address === owner)) {
    notes.confirm(
      'MEM-1',
      l10n.t`Your wallet would sign a text in its own name, which this operation does not need: ${shown}. Others could use it as your login or consent.`,
      { address: owner },
    );
  } else {
    notes.info('MEM-1', l10n.t`The transaction carries a note: ${shown}`);
  }
};

/** Policy §4, LGT-1: assertions protect the owner; other instructions of that program do something. */
export const reviewLighthouse: InstructionRule = (reading, _context, notes) => {
  const opcode = reading.view.data[0];
  if (opcode === undefined || opcode > LIGHTHOUSE_LAST_ASSERTION) {
    notes.block('LGT-1', l10n.t('An instruction to Lighthouse is not one that Binsight knows.'));
  } else if (LIGHTHOUSE_WRITES.includes(opcode)) {
    notes.confirm('LGT-1', l10n.t('The transaction keeps or frees memory with Lighthouse, which costs or returns a little rent.'));
  }
};
