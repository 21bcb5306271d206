import { SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { type Address, addressBytes, addressFromBytes } from '../../src/base/solana/address';
import { SYSTEM_INSTRUCTIONS } from '../../src/base/solana/nativeInstructions';
import { PROGRAMS } from '../../src/base/solana/programs';
import { base64FromBytes, parseTransaction } from '../../src/base/solana/wireTransaction';
import { NO_FACTS } from '../../src/review/facts/facts';
import type { CaseInput } from '../../src/review/report/caseFormat';
import {
  addByStrategy,
  addressOf,
  base64Of,
  BLOCKHASH,
  bytesOf,
  claim,
  type Draft,
  instruction,
  key,
  keyOf,
  openPosition,
  OWNER,
  OWNER_KEY,
  POSITION,
  THIEF,
  transferSol,
  VERSIONS,
  ZAP_IN,
  ZAP_OUT,
} from '../support/review/bundles';
import { createDamm, DAMM_IN } from '../support/review/meteoraDrafts';
import { attack, type Attack, inputOf, rawInput } from './attack';
import { DAMM_INTO, EVERYWHERE, IN, type Operation, OUT, planted } from './plant';

// Attacks with fee payers, signers and the lifetime of transactions (PAY, SIG, NON).

const THIEF_KEY = keyOf('thief');

/** The operation with each of its transactions changed, one at a time, in all formats. */
function changing(
  operations: readonly Operation[],
  change: (draft: Draft) => Draft,
  isMeant: (draft: Draft) => boolean = () => true,
): Readonly<Record<string, CaseInput>> {
  return Object.fromEntries(
    operations.flatMap(({ name, intent, drafts }) =>
      VERSIONS.flatMap((version) =>
        drafts(version).flatMap((draft, at) =>
          isMeant(draft)
            ? [
                [
                  `${name}, ${version}, transaction ${at + 1}`,
                  inputOf(
                    intent,
                    drafts(version).map((other, index) => (index === at ? change(other) : other)),
                  ),
                ] as const,
              ]
            : [],
        ),
      ),
    ),
  );
}

const isCosigned = ({ signers = [] }: Draft): boolean => signers.length > 0;

/** The transaction that opens the position, with the position's signature changed by `change`. */
function resigned(change: (signature: Uint8Array, bytes: Uint8Array) => Uint8Array): Readonly<Record<string, CaseInput>> {
  return Object.fromEntries(
    VERSIONS.map((version) => {
      const transactions = IN.drafts(version).map((draft) => {
        const bytes = bytesOf(draft);
        const { staticKeys, requiredSignatures, signaturesOffset } = parseTransaction(bytes);
        const slot = staticKeys.indexOf(POSITION);
        if (slot >= 0 && slot < requiredSignatures) {
          const begin = signaturesOffset + 64 * slot;
          bytes.set(change(bytes.slice(begin, begin + 64), bytes), begin);
        }
        return { group: draft.group, base64: base64FromBytes(bytes) };
      });
      return [String(version), rawInput(ZAP_IN, transactions)];
    }),
  );
}

/** The position's signature over the same message with another blockhash. */
function signatureOfAnother(): Uint8Array {
  const [, add] = IN.drafts(0);
  const bytes = bytesOf({ group: 'add', version: 0, instructions: [], ...add, blockhash: addressOf('another blockhash') });
  const { staticKeys, signatures } = parseTransaction(bytes);
  return (signatures[staticKeys.indexOf(POSITION)] ?? new Uint8Array(64)).slice();
}

/** A key of small order, whose signature a careless verifier accepts for any message. */
function weakSigner(): CaseInput {
  const weak = addressFromBytes(new Uint8Array(32).map((_, at) => (at === 0 ? 1 : 0)));
  const bytes = bytesOf({ group: 'close', instructions: [claim(), transferSol(OWNER, 1n, weak)] });
  const { staticKeys, signaturesOffset } = parseTransaction(bytes);
  bytes[signaturesOffset + 64 * staticKeys.indexOf(weak)] = 1;
  return rawInput(ZAP_OUT, [{ group: 'close', base64: base64FromBytes(bytes) }]);
}

const SIGNATURES: readonly Attack[] = [
  attack('PAY-1', 'names another fee payer, which has signed', 'confirm PAY-1', () =>
    changing(EVERYWHERE, (draft) => ({ ...draft, feePayer: THIEF, signers: [...(draft.signers ?? []), THIEF_KEY] })),
  ),
  attack('PAY-1', 'names another fee payer, which has not signed', 'block SIG-2', () =>
    changing([OUT, IN], (draft) => ({ ...draft, feePayer: THIEF })),
  ),
  attack('SIG-1', 'sends a transaction of another wallet', 'block SIG-1', () => ({
    legacy: inputOf(ZAP_OUT, [
      ...OUT.drafts('legacy'),
      { group: 'swap', version: 'legacy', instructions: [transferSol(OWNER, 1n, THIEF)], feePayer: THIEF, signers: [THIEF_KEY] },
    ]),
    v0: inputOf(ZAP_IN, [
      ...IN.drafts(0),
      { group: 'add', instructions: [transferSol(OWNER, 1n, THIEF)], feePayer: THIEF, signers: [THIEF_KEY] },
    ]),
    'sends a transaction that does not name the owner': inputOf(ZAP_OUT, [
      { group: 'close', instructions: [transferSol(THIEF, 1n, THIEF)], feePayer: THIEF, signers: [THIEF_KEY] },
    ]),
  })),
  attack('SIG-2', 'omits the signature of the new position', 'block SIG-2', () =>
    changing([IN, DAMM_INTO], (draft) => ({ ...draft, signers: [] }), isCosigned),
  ),
  attack('SIG-2', 'changes one bit in the signature of the new position', 'block SIG-2', () =>
    resigned((signature) => signature.map((byte, at) => (at === 3 ? byte ^ 1 : byte))),
  ),
  attack('SIG-2', 'sends a signature of the new position over another message', 'block SIG-2', () => resigned(() => signatureOfAnother())),
  attack('SIG-2', 'sends a signature by a key of small order', 'block SIG-2', () => ({ v0: weakSigner() })),
  attack('SIG-3', "fills the owner's signature slot with a valid signature", 'block SIG-3', () =>
    changing(EVERYWHERE, (draft) => ({ ...draft, signers: [...(draft.signers ?? []), OWNER_KEY] })),
  ),
  attack('SIG-3', "fills the owner's signature slot with arbitrary bytes", 'block SIG-3', () => ({
    v0: rawInput(
      ZAP_OUT,
      OUT.drafts(0).map((draft, at) => ({
        group: draft.group,
        base64: at === 2 ? base64FromBytes(bytesOf(draft).map((byte, place) => (place === 9 ? 1 : byte))) : base64Of(draft),
      })),
    ),
  })),
  planted('SIG-4', 'adds a stranger as a signer', 'confirm SIG-4', () => ({
    instructions: [transferSol(OWNER, 1n, THIEF)],
    signers: [THIEF_KEY],
  })),
  planted('SIG-4', 'adds a stranger who only signs a memo', 'confirm SIG-4', () => ({
    instructions: [
      new TransactionInstruction({
        programId: key(PROGRAMS.memo),
        keys: [{ pubkey: key(THIEF), isSigner: true, isWritable: false }],
        data: Buffer.from('approved'),
      }),
    ],
    signers: [THIEF_KEY],
  })),
  attack('SIG-4', 'opens a position with another NFT mint than the service named', 'confirm SIG-4', () => ({
    v0: inputOf({ ...DAMM_IN, position: undefined }, [
      { group: 'add', instructions: [createDamm()], signers: [keyOf('position NFT')] },
      { group: 'add', instructions: [transferSol(OWNER, 1n, addressOf('position NFT'))], signers: [keyOf('position NFT')] },
    ]),
  })),
  attack('SIG-4', 'requires the position key where no position is opened', 'confirm SIG-4', () => ({
    v0: inputOf(ZAP_IN, [
      ...IN.drafts(0),
      { group: 'add', instructions: [transferSol(OWNER, 1n, POSITION)], signers: [keyOf('position')] },
    ]),
  })),
  attack('SIG-4', 'opens a position for the additional signer', 'block DLMM-6', () => ({
    v0: inputOf(ZAP_IN, [
      { group: 'add', instructions: [openPosition({}, { owner: THIEF }), addByStrategy()], signers: [keyOf('position'), THIEF_KEY] },
    ]),
  })),
];

const system = (name: string, accounts: Readonly<Record<string, Address>>): TransactionInstruction =>
  instruction(PROGRAMS.system, SYSTEM_INSTRUCTIONS, name, accounts, {
    lamports: 1n,
    authority: addressBytes(OWNER),
    new_authority: addressBytes(THIEF),
  });
const NONCE_ACCOUNTS = { nonce: addressOf('nonce'), to: OWNER, authority: OWNER };
const ADVANCE = SystemProgram.nonceAdvance({ noncePubkey: key(addressOf('nonce')), authorizedPubkey: key(OWNER) });

const NONCES: readonly Attack[] = [
  planted('NON-1', 'uses a durable nonce, which keeps the signature valid for years', 'block NON-1', () => ({ instructions: [ADVANCE] })),
  planted('NON-1', 'uses a durable nonce of another wallet, which signs too', 'block NON-1', () => ({
    instructions: [SystemProgram.nonceAdvance({ noncePubkey: key(addressOf('nonce')), authorizedPubkey: key(THIEF) })],
    signers: [THIEF_KEY],
  })),
  planted('NON-1', 'adds a byte to the instruction that advances a durable nonce', 'block NON-1', () => ({
    instructions: [
      new TransactionInstruction({
        programId: ADVANCE.programId,
        keys: ADVANCE.keys,
        data: Buffer.concat([ADVANCE.data, Buffer.from([0])]),
      }),
    ],
  })),
  ...['withdraw_nonce_account', 'initialize_nonce_account', 'authorize_nonce_account', 'upgrade_nonce_account'].map((name) =>
    planted('NON-2', `manages a nonce account: ${name}`, 'block NON-2', () => ({ instructions: [system(name, NONCE_ACCOUNTS)] })),
  ),
  attack('NON-3', 'uses a blockhash that the network does not know', 'confirm NON-3', () => ({
    'zap-out': inputOf(ZAP_OUT, OUT.drafts(0), { facts: { ...NO_FACTS, blockhashes: new Map([[BLOCKHASH, false]]) } }),
    'zap-in': inputOf(ZAP_IN, IN.drafts('legacy'), { facts: { ...NO_FACTS, blockhashes: new Map([[BLOCKHASH, false]]) } }),
  })),
];

export const SIGNERS: readonly Attack[] = [...SIGNATURES, ...NONCES];
