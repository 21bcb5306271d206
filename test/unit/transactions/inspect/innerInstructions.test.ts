import assert from 'node:assert/strict';
import { AddressLookupTableAccount, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { accountKeys, innerInstruction } from '../../../../src/transactions/inspect/simulation';
import type { Address } from '../../../../src/base/solana/address';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { parseTransaction } from '../../../../src/base/solana/wireTransaction';
import { addressOf } from '../../../support/portfolio/fixtures';
import { BLOCKHASH, key, MINT, OWN_TOKEN, OWNER, THIEF, tokenInstruction } from '../../../support/review/bundles';
import { splToken } from '../../../support/transactions/inspect/splToken';

const {
  createApproveCheckedInstruction,
  createApproveInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
  AuthorityType,
} = splToken;

const [ONE, TWO] = [addressOf(1), addressOf(2)] as const;

describe('inspection: accounts of a transaction', () => {
  it("The extension orders a transaction's accounts like @solana/web3.js: static, writable from tables, then the others", () => {
    const tables = [ONE, TWO].map((at, which) => {
      const addresses = Array.from({ length: 6 }, (_, index) => addressOf(100 * (which + 1) + index));
      const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses: addresses.map(key) };
      return { at, addresses, account: new AddressLookupTableAccount({ key: key(at), state }) };
    });
    const named = [addressOf(103), addressOf(204), addressOf(101), addressOf(200)];
    const instruction = tokenInstruction([1], [OWNER, ...named]);
    instruction.keys = instruction.keys.map((meta) => ({
      ...meta,
      isWritable: meta.pubkey.equals(key(named[0] ?? ONE)) || meta.pubkey.equals(key(named[1] ?? ONE)),
    }));
    const message = new TransactionMessage({
      payerKey: key(OWNER),
      recentBlockhash: BLOCKHASH,
      instructions: [instruction],
    }).compileToV0Message(tables.map(({ account }) => account));
    const wire = parseTransaction(new VersionedTransaction(message).serialize());
    const known = new Map(tables.map(({ at, addresses }) => [at, { addresses, isDeactivated: false }]));
    const expected = message.getAccountKeys({ addressLookupTableAccounts: tables.map(({ account }) => account) });
    const read = accountKeys(wire, known);
    assert.deepEqual(
      read,
      Array.from({ length: expected.length }, (_, index) => expected.get(index)?.toBase58()),
    );
    assert.equal(read.length, wire.staticKeys.length + 4);
    known.delete(TWO);
    assert.equal(accountKeys(wire, known).filter((one) => one === undefined).length, 2);
  });
});

describe('inspection: inner instructions', () => {
  const keys = [OWNER, OWN_TOKEN, THIEF, MINT, PROGRAMS.token, undefined, PROGRAMS.system];
  const place = (of: string) => keys.findIndex((one) => one === of);

  it("The reader keeps a compiled inner instruction, whose indexes refer to the transaction's accounts", () => {
    assert.deepEqual(
      innerInstruction({ form: 'compiled', calledBy: 2, programIdIndex: 4, accountIndexes: [1, 5], data: Uint8Array.of(4) }, keys),
      { calledBy: 2, programIdIndex: 4, accountIndexes: [1, 5], data: Uint8Array.of(4) },
    );
  });

  it('The reader finds an inner instruction by its addresses and marks unknown accounts as missing', () => {
    const inner = innerInstruction(
      { form: 'addressed', calledBy: 1, program: PROGRAMS.token, accounts: [OWN_TOKEN, ONE, OWNER], data: Uint8Array.of(4, 1) },
      keys,
    );
    assert.deepEqual(inner, { calledBy: 1, programIdIndex: 4, accountIndexes: [1, -1, 0], data: Uint8Array.of(4, 1) });
  });

  // What a node says in words has to read as what the libraries encode: the number, and where the one stands who agrees.
  const cases = [
    [
      'approve',
      { source: OWN_TOKEN, delegate: THIEF, owner: OWNER, amount: '5' },
      createApproveInstruction(key(OWN_TOKEN), key(THIEF), key(OWNER), 5n),
    ],
    [
      'approve',
      { source: OWN_TOKEN, delegate: THIEF, multisigOwner: OWNER, signers: [], amount: '5' },
      createApproveInstruction(key(OWN_TOKEN), key(THIEF), key(OWNER), 5n),
    ],
    [
      'approveChecked',
      { source: OWN_TOKEN, mint: MINT, delegate: THIEF, owner: OWNER, tokenAmount: {} },
      createApproveCheckedInstruction(key(OWN_TOKEN), key(MINT), key(THIEF), key(OWNER), 5n, 6),
    ],
    [
      'setAuthority',
      { account: OWN_TOKEN, authority: OWNER, authorityType: 'accountOwner', newAuthority: THIEF },
      createSetAuthorityInstruction(key(OWN_TOKEN), key(OWNER), AuthorityType.AccountOwner, key(THIEF)),
    ],
    ['assign', { account: OWNER, owner: THIEF }, SystemProgram.assign({ accountPubkey: key(OWNER), programId: key(THIEF) })],
    [
      'assignWithSeed',
      { account: THIEF, base: OWNER, seed: 'x', owner: MINT },
      SystemProgram.assign({ accountPubkey: key(THIEF), basePubkey: key(OWNER), seed: 'x', programId: key(MINT) }),
    ],
    ['allocate', { account: OWNER, space: 5 }, SystemProgram.allocate({ accountPubkey: key(OWNER), space: 5 })],
    [
      'allocateWithSeed',
      { account: THIEF, base: OWNER, seed: 'x', space: 5, owner: MINT },
      SystemProgram.allocate({ accountPubkey: key(THIEF), basePubkey: key(OWNER), seed: 'x', space: 5, programId: key(MINT) }),
    ],
  ] as const;
  for (const [type, fields, encoded] of cases) {
    it(`The reader reads a parsed inner instruction ("${type}") like its bytes`, () => {
      const program = encoded.programId.equals(PublicKey.default) ? PROGRAMS.system : PROGRAMS.token;
      const inner = innerInstruction({ form: 'parsed', calledBy: 0, program, type, fields }, keys);
      assert.equal(inner.programIdIndex, place(program));
      assert.equal(inner.data[0], encoded.data[0]);
      assert.deepEqual(
        inner.accountIndexes,
        encoded.keys.map(({ pubkey }) => place(pubkey.toBase58())),
      );
    });
  }

  const transfers = [
    [
      'transfer',
      { source: OWN_TOKEN, destination: THIEF, authority: OWNER, amount: '18446744073709551615' },
      createTransferInstruction(key(OWN_TOKEN), key(THIEF), key(OWNER), 18446744073709551615n),
    ],
    [
      'transfer',
      { source: OWN_TOKEN, destination: THIEF, multisigAuthority: OWNER, signers: [], amount: '5' },
      createTransferInstruction(key(OWN_TOKEN), key(THIEF), key(OWNER), 5n),
    ],
    [
      'transferChecked',
      {
        source: OWN_TOKEN,
        mint: MINT,
        destination: THIEF,
        authority: OWNER,
        tokenAmount: { amount: '9007199254740993', decimals: 6, uiAmount: 9007199254.740993, uiAmountString: '9007199254.740993' },
      },
      createTransferCheckedInstruction(key(OWN_TOKEN), key(MINT), key(THIEF), key(OWNER), 9007199254740993n, 6),
    ],
  ] as const;
  for (const [type, fields, encoded] of transfers) {
    it(`A parsed inner instruction ("${type}" of ${'amount' in fields ? fields.amount : fields.tokenAmount.amount}) moves the same as its bytes`, () => {
      for (const program of [PROGRAMS.token, PROGRAMS.token2022]) {
        const inner = innerInstruction({ form: 'parsed', calledBy: 7, program, type, fields }, keys);
        assert.deepEqual([...inner.data], [...encoded.data]);
        assert.deepEqual(
          inner.accountIndexes,
          encoded.keys.map(({ pubkey }) => place(pubkey.toBase58())),
        );
        assert.equal(inner.calledBy, 7);
      }
    });
  }

  it('The reader keeps the accounts of other parsed instructions and reads no amount from them', () => {
    const words = { source: OWN_TOKEN, destination: THIEF, authority: OWNER };
    const others: readonly (readonly [Address, string, Readonly<Record<string, unknown>>])[] = [
      [PROGRAMS.system, 'transfer', { ...words, amount: '5' }],
      [PROGRAMS.token, 'transferCheckedWithFee', { ...words, tokenAmount: { amount: '5', decimals: 6 } }],
      [PROGRAMS.token, 'transferChecked', { ...words, tokenAmount: { amount: '5' } }],
      [PROGRAMS.token, 'transferChecked', { ...words, tokenAmount: '5' }],
      ...[undefined, 5, '', '-5', '5.0', '0x5', '18446744073709551616', '9'.repeat(5_000)].map(
        (amount) => [PROGRAMS.token, 'transfer', { ...words, amount }] as const,
      ),
    ];
    for (const [program, type, fields] of others) {
      const inner = innerInstruction({ form: 'parsed', calledBy: 0, program, type, fields }, keys);
      assert.deepEqual(inner, { calledBy: 0, programIdIndex: place(program), accountIndexes: [1, 2, 0], data: new Uint8Array() });
    }
  });

  it('The reader reads a parsed instruction that contains others as a batch with all of their accounts', () => {
    const inner = innerInstruction(
      {
        form: 'parsed',
        calledBy: undefined,
        program: PROGRAMS.token,
        type: 'batch',
        fields: { instructions: [{ type: 'approve', info: { source: OWN_TOKEN, owner: OWNER } }] },
      },
      keys,
    );
    assert.deepEqual(inner, { calledBy: undefined, programIdIndex: 4, accountIndexes: [1, 0], data: Uint8Array.of(255) });
  });

  it('The reader accepts invalid parsed fields without an error', () => {
    for (const fields of [{}, { source: 5, owner: null }, { source: 'x'.repeat(44) }]) {
      assert.deepEqual(
        innerInstruction({ form: 'parsed', calledBy: 0, program: PROGRAMS.token, type: 'approve', fields }, keys).accountIndexes,
        [-1, -1, -1],
      );
    }
  });
});
